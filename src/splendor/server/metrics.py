"""What the server counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

LATENCIES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds
STRETCHES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds of the event loop at a stretch


class Metrics:
    """One registry for each server, so that several can live in one process."""

    def __init__(self) -> None:
        """Everything at zero."""
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "splendor_requests", "HTTP requests", ["method", "route", "status"], registry=self.registry
        )
        self.commands = Counter("splendor_commands", "commands by people", ["type", "outcome"], registry=self.registry)
        self.command_seconds = Histogram(
            "splendor_command_seconds", "from a command to its answer", buckets=LATENCIES, registry=self.registry
        )
        self.tables = Gauge("splendor_tables", "tables in memory", ["status"], registry=self.registry)
        self.connections = Gauge("splendor_connections", "open sockets and streams", registry=self.registry)
        self.waiting = Gauge("splendor_computers_waiting", "moves that wait for a computer", registry=self.registry)
        self.failures = Gauge("splendor_computer_failures", "failures of computers", registry=self.registry)
        self.busy = Histogram(
            "splendor_loop_busy_seconds",
            "processor time at a stretch for which nobody else was served",
            buckets=STRETCHES,
            registry=self.registry,
        )
        self.pushes = Counter("splendor_pushes", "messages to closed browsers", ["outcome"], registry=self.registry)
        self.reports = Counter("splendor_reports", "lines of free chat that were reported", registry=self.registry)
        self.resyncs = Counter("splendor_resyncs", "readers that were too slow", registry=self.registry)

    def text(self) -> bytes:
        """All of it, in Prometheus' format."""
        return generate_latest(self.registry)
