/** The one thing of Node that the build configuration uses. */
declare const process: { env: Record<string, string | undefined> }
