"""Many games at once: on the CPU, on a GPU, and as the loop under the vector environment."""
