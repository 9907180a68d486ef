"""The queue before the workers: kinds of work in order, and in each kind visitors and networks take turns.

Pure: no processes here. Work of an earlier kind goes first. Within a kind, networks take turns, and the visitors of one
network among themselves; nobody has more than a share, however many jobs they bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

Job = TypeVar("Job")

NETWORK_SHARES = 4  # a network, which may be that of a school, has as many shares as so many visitors


class Visitor(NamedTuple):
    """Who wants something done: a person, and the network they are in."""

    person: str
    network: str


@dataclass(frozen=True)
class Kind:
    """A kind of work, and how much of it there may be."""

    name: str
    seconds: float  # the longest that a job takes; then its worker is ended
    most_waiting: int = 200  # jobs of all visitors
    most_of_one: int = 12  # jobs of one visitor, waiting or underway
    spares: int = 0  # so many workers, if there are more, are left to kinds that spare none
    patience: float | None = None  # seconds that a job waits before it is refused
    is_hurried: bool = False  # does a job take less time while others wait?


class Full(Exception):
    """There is no room for one more job of this kind, for anyone."""


class ShareSpent(Exception):
    """This visitor, or this network, has as many jobs as one may have."""


@dataclass
class Line(Generic[Job]):
    """The jobs of one kind that wait, by network and person; whose turn it is comes first."""

    networks: dict[str, dict[str, list[Job]]] = field(default_factory=dict)
    count: int = 0

    def add(self, visitor: Visitor, job: Job) -> None:
        """At the end of the visitor's own jobs."""
        self.networks.setdefault(visitor.network, {}).setdefault(visitor.person, []).append(job)
        self.count += 1

    def jobs_of(self, visitor: Visitor) -> list[Job]:
        """What this visitor waits for."""
        return self.networks.get(visitor.network, {}).get(visitor.person, [])

    def count_of(self, network: str) -> int:
        """How many jobs of a network wait."""
        return sum(map(len, self.networks.get(network, {}).values()))

    def visitors(self) -> Iterator[Visitor]:
        """Who waits, in the order of their turns."""
        for network, persons in self.networks.items():
            for person in persons:
                yield Visitor(person, network)

    def remove(self, visitor: Visitor, job: Job) -> None:
        """Take a job out, if it is there; nobody's turn changes."""
        jobs = self.jobs_of(visitor)
        if job in jobs:
            jobs.remove(job)
            self.count -= 1
            if not jobs:
                self._leave(visitor)

    def serve(self, visitor: Visitor) -> Job:
        """The first job of a visitor, who goes to the end of the line, and so does the network."""
        job = self.jobs_of(visitor).pop(0)
        self.count -= 1
        persons = self.networks.pop(visitor.network)
        jobs = persons.pop(visitor.person)
        if jobs:
            persons[visitor.person] = jobs
        if persons:
            self.networks[visitor.network] = persons
        return job

    def _leave(self, visitor: Visitor) -> None:
        persons = self.networks[visitor.network]
        del persons[visitor.person]
        if not persons:
            del self.networks[visitor.network]


class Taken(NamedTuple, Generic[Job]):
    """A job that is to be done now, and for whom."""

    kind: Kind
    visitor: Visitor
    job: Job


class FairQueue(Generic[Job]):
    """Jobs that wait for one of some workers."""

    def __init__(self, kinds: Sequence[Kind], workers: int) -> None:
        """The kinds that come first are named first."""
        self.workers = workers
        self.at_once_of_one = max(workers - 1, 1)  # with more than one worker, no visitor has them all
        self._lines: dict[Kind, Line[Job]] = {kind: Line() for kind in kinds}
        self._underway: Counter[tuple[Kind, str]] = Counter()  # by kind, of each person and each network
        self._sparing = 0  # jobs underway of kinds that leave workers to others

    def __len__(self) -> int:
        """How many jobs wait."""
        return sum(line.count for line in self._lines.values())

    def waiting(self, kind: Kind) -> int:
        """How many jobs of a kind wait."""
        return self._lines[kind].count

    def put(self, kind: Kind, visitor: Visitor, job: Job) -> None:
        """Let a job wait; raises ShareSpent or Full."""
        line = self._lines[kind]
        of_person = len(line.jobs_of(visitor)) + self._underway[kind, visitor.person]
        of_network = line.count_of(visitor.network) + self._underway[kind, visitor.network]
        if of_person >= kind.most_of_one or of_network >= NETWORK_SHARES * kind.most_of_one:
            raise ShareSpent
        if line.count >= kind.most_waiting:
            raise Full
        line.add(visitor, job)

    def take(self) -> Taken[Job] | None:
        """The next job that may be done, or None; `done` must be told when it is."""
        for kind, line in self._lines.items():
            if kind.spares and self._sparing >= max(self.workers - kind.spares, 1):
                continue
            for visitor in line.visitors():
                if max(self._of_all_kinds(visitor.person), self._of_all_kinds(visitor.network)) < self.at_once_of_one:
                    self._count(kind, visitor, 1)
                    return Taken(kind, visitor, line.serve(visitor))
        return None

    def _of_all_kinds(self, who: str) -> int:
        return sum(self._underway[kind, who] for kind in self._lines)

    def done(self, kind: Kind, visitor: Visitor) -> None:
        """A job of this visitor is over."""
        self._count(kind, visitor, -1)

    def _count(self, kind: Kind, visitor: Visitor, change: int) -> None:
        self._sparing += change if kind.spares else 0
        for who in {visitor.person, visitor.network}:
            self._underway[kind, who] += change
            if not self._underway[kind, who]:
                del self._underway[kind, who]

    def give_up(self, kind: Kind, visitor: Visitor, job: Job) -> None:
        """Nobody wants this job any more; one that is underway is not the queue's affair."""
        self._lines[kind].remove(visitor, job)
