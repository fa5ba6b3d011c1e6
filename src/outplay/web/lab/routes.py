"""The lab: its options, and experiments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from outplay.lab.course import free_monte_carlo
from outplay.lab.task import TIME_MS, Experiment, Finding
from outplay.notation.any import read_one
from outplay.rules import RULES
from outplay.store.progress import LessonProgress
from outplay.web.dependencies import ERRORS, Client, TheLanes
from outplay.web.http.lanes import Check
from outplay.web.lab import course_view, course_wire, wire
from outplay.web.lab.view import run_view
from outplay.web.lab.words import info
from outplay.web.runs import Runs, worker_pool
from outplay.web.wire import RunId, StopRequest
from outplay.work import Pools

router = APIRouter(prefix="/lab", responses=ERRORS)
KEPT_RUNS = 30
MOST_UNFINISHED = 20
MOST_OF_ONE = 6
"""The most unfinished experiments of one client."""
WAKE_UP = Experiment("trace", RULES["connect4"].start(), 1, ())


class Lab:
    """The experiments of a server: one worker for all of them. Any thread may call any method."""

    def __init__(self, pools: Pools) -> None:
        self._pool = worker_pool(pools, "lab")
        bounds = {"kept": KEPT_RUNS, "most": MOST_UNFINISHED, "most_of_one": MOST_OF_ONE}
        self.runs = Runs[Experiment, Finding]("experiment", self._pool, **bounds)

    def close(self) -> None:
        self._pool.close()


async def _lab(request: Request) -> Lab:
    lab: Lab = request.app.state.lab
    return lab


TheLab = Annotated[Lab, Depends(_lab)]
LabRunId = Annotated[RunId, Path(alias="id", description="id of an experiment")]


@router.get("")
def lab_info(lab: TheLab) -> wire.LabInfo:
    """Return the techniques, evaluations with their weights, move orders, and the glossary."""
    lab.runs.wake(WAKE_UP)
    return info()


@router.post("/runs", status_code=201)
def begin_run(request: wire.LabRequest, lab: TheLab, client: Client) -> wire.LabRun:
    """Start an experiment. It runs in a separate process, for at most 20 seconds."""
    experiment = Experiment(
        kind=request.kind,
        position=read_one(request.position, request.game, (request.width, request.height)).game.position,
        depth=request.depth,
        techniques=tuple(dict.fromkeys(request.techniques)),
        evaluation=request.evaluation,
        weights=None if request.weights is None else tuple(request.weights),
        order=request.order,
        most_ms=TIME_MS,
    )
    experiment.check()
    return run_view(lab.runs.begin(experiment, client))


@router.post("/monte-carlo")
async def watch_monte_carlo(
    asked: course_wire.MonteCarloRequest, client: Client, lanes: TheLanes, http: Request
) -> course_wire.RungView:
    """Return a Monte Carlo run from a position, as the course shows it, without questions."""

    def watched(_: Check) -> course_wire.RungView:
        position = read_one(asked.position, asked.game, (asked.width, asked.height)).game.position
        return course_view.run_view(free_monte_carlo(position), LessonProgress())

    return await lanes.answers.run(client, http.receive, watched)


@router.get("/runs/{id}")
def one_run(run_id: LabRunId, lab: TheLab) -> wire.LabRun:
    """Return an experiment with what it has found so far."""
    return run_view(lab.runs.run(run_id))


@router.post("/runs/{id}/stop")
def stop_run(run_id: LabRunId, request: StopRequest, lab: TheLab, client: Client) -> wire.LabRun:
    """End an experiment; what it has found so far is kept."""
    run = lab.runs.run(run_id)
    run.stop_by(client)
    return run_view(run)
