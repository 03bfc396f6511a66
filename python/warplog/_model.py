"""What a run found out, as typed data: the JSON of ``warplog check`` (contract ``warplog/2``) and of ``warplog gate``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class Location:
    """A range of source text; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    role: str

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> "Location":
        return cls(
            file=data["file"],
            line=data["line"],
            column=data["column"],
            end_line=data["end_line"],
            end_column=data["end_column"],
            role=data["role"],
        )


@dataclass(frozen=True)
class Finding:
    """A defect: what kind, how sure, where, and what would mend it."""

    id: str
    kind: str
    kernel: str
    #: ``confirmed``, ``conditional`` or ``potential``.
    certainty: str
    severity: str
    message: str
    locations: tuple[Location, ...]
    #: What a conditional finding asks the author of the code.
    question: Optional[str] = None
    hint: Optional[str] = None
    #: A change of the source that was shown to leave the kernel race-free, as a unified diff.
    diff: Optional[str] = None
    #: Why it does not count, if it is suppressed.
    suppressed: Optional[str] = None
    #: Everything else of the finding, as in the JSON.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, kernel: str, data: Mapping[str, Any]) -> "Finding":
        mend = data.get("mend") or {}
        suppressed = data.get("suppressed")
        return cls(
            id=data["id"],
            kind=data["kind"],
            kernel=kernel,
            certainty=data["certainty"],
            severity=data["severity"],
            message=data["message"],
            locations=tuple(Location._of(one) for one in data["locations"]),
            question=data.get("question"),
            hint=data.get("hint"),
            diff=mend.get("diff"),
            suppressed=suppressed.get("reason") if isinstance(suppressed, dict) else None,
            raw=data,
        )

    @property
    def line(self) -> Optional[int]:
        """The line of the first place."""
        return self.locations[0].line if self.locations else None

    @property
    def file_line(self) -> str:
        """``file:line: `` of the first place; empty without one."""
        return f"{self.locations[0].file}:{self.locations[0].line}: " if self.locations else ""


@dataclass(frozen=True)
class Kernel:
    """A kernel and its verdict."""

    name: str
    file: str
    line: int
    #: ``race_free``, ``racy``, ``barrier_divergence``, ``unknown`` and so on.
    verdict: str
    certainty: Optional[str]
    findings: tuple[Finding, ...]
    #: What the verdict rests on.
    assumptions: tuple[str, ...]
    #: Why it could not be decided, if it could not.
    reasons: tuple[str, ...]
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> "Kernel":
        reasons: list[str] = []
        for launch in data.get("launches", ()):
            for reason in launch.get("reasons", ()):
                text = reason.get("text", "") if isinstance(reason, dict) else str(reason)
                if text and text not in reasons:
                    reasons.append(text)
        return cls(
            name=data["name"],
            file=data["file"],
            line=data["line"],
            verdict=data["verdict"],
            certainty=data.get("certainty"),
            findings=tuple(Finding._of(data["name"], one) for one in data["findings"]),
            assumptions=tuple(data.get("assumptions", ())),
            reasons=tuple(reasons),
            raw=data,
        )

    @property
    def is_race_free(self) -> bool:
        """Whether it is shown to be free of races and of barrier divergence."""
        return self.verdict == "race_free"

    def __str__(self) -> str:
        """The verdict, and below it the findings and the reasons, a line each."""
        lines = [f"{self.file}:{self.line}: `{self.name}` is {self.verdict}"]
        for finding in self.findings:
            lines.append(f"  {finding.file_line}{finding.message}")
            lines += [f"    {text}" for text in (finding.question, finding.hint) if text]
        lines += [f"  {reason}" for reason in self.reasons]
        return "\n".join(lines)


#: Verdicts of a whole report, the worst last.
_ORDER = ("race_free", "unknown")


@dataclass(frozen=True)
class Result:
    """What is known of everything that was checked together."""

    kernels: tuple[Kernel, ...]
    #: What could not be read or analysed.
    errors: tuple[str, ...]
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> "Result":
        errors = []
        for error in data.get("errors", ()):
            place = ":".join(str(part) for part in (error.get("file"), error.get("line")) if part)
            errors.append(f"{place}: {error['message']}" if place else error["message"])
        return cls(
            kernels=tuple(Kernel._of(one) for one in data["kernels"]),
            errors=tuple(errors),
            raw=data,
        )

    @property
    def verdict(self) -> str:
        """The worst verdict of all kernels; ``unknown`` where something could not be analysed or there is none."""
        verdicts = [kernel.verdict for kernel in self.kernels]
        for verdict in verdicts:
            if verdict not in _ORDER:
                return verdict
        if self.errors or not verdicts or "unknown" in verdicts:
            return "unknown"
        return "race_free"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all kernels."""
        return tuple(finding for kernel in self.kernels for finding in kernel.findings)

    @property
    def questions(self) -> tuple[str, ...]:
        """What the author of the code is asked: the questions of conditional findings, each once."""
        asked = (finding.question for finding in self.findings)
        return tuple(dict.fromkeys(question for question in asked if question))

    def __str__(self) -> str:
        """What is to be said of all kernels, for people; ``repr`` has the data."""
        return "\n".join([*self.errors, *map(str, self.kernels)]) or "no kernel was found"

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of this name, with or without template arguments."""
        for kernel in self.kernels:
            if name in (kernel.name, kernel.name.split("<")[0]):
                return kernel
        raise KeyError(name)


@dataclass(frozen=True)
class Reason:
    """Why code is no pass."""

    answer: str
    kernel: Optional[str]
    line: Optional[int]
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True)
class Judgement:
    """Whether generated code may pass: ``pass``, ``warn`` or ``fail``."""

    answer: str
    reasons: tuple[Reason, ...]
    #: The verdict of each kernel by its name.
    kernels: Mapping[str, str]

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> "Judgement":
        answer = data["answer"]
        if answer not in ("pass", "warn", "fail") or data.get("schema") != "warplog-gate/1":
            raise ValueError("no answer of warplog gate")
        return cls(
            answer=answer,
            reasons=tuple(
                Reason(one["answer"], one["kernel"], one["line"], one["text"])
                for one in data["reasons"]
            ),
            kernels=dict(data["kernels"]),
        )

    @classmethod
    def _failed(cls, why: str) -> "Judgement":
        return cls(answer="fail", reasons=(Reason("fail", None, None, why),), kernels={})

    @property
    def passed(self) -> bool:
        """Whether every kernel is shown to be race-free."""
        return self.answer == "pass"

    def __bool__(self) -> bool:
        return self.passed

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self.answer == other
        if isinstance(other, Judgement):
            return (self.answer, self.reasons, dict(self.kernels)) == (
                other.answer,
                other.reasons,
                dict(other.kernels),
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.answer, self.reasons))

    @property
    def feedback(self) -> str:
        """The reasons as lines, fit to be handed back to whoever wrote the code; empty for a pass."""
        return "\n".join(f"- {reason}" for reason in self.reasons)
