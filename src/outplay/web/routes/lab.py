"""The lab: what can be tried, and experiments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request

from outplay.web import laboratory, wire
from outplay.web.experiments import Experiment, Lab
from outplay.web.positions import read_text
from outplay.web.routes.desk import ERRORS, Client
from outplay.web.traces import run_view

router = APIRouter(prefix="/lab", responses=ERRORS)


async def _lab(request: Request) -> Lab:
    lab: Lab = request.app.state.lab
    return lab


TheLab = Annotated[Lab, Depends(_lab)]
RunId = Annotated[wire.RunId, Path(alias="id", description="of an experiment")]


@router.get("")
def lab_info(lab: TheLab) -> wire.LabInfo:
    """Techniques, evaluations with their weights, ways to order moves, and what the words mean."""
    lab.wake()
    return laboratory.info()


@router.post("/runs", status_code=201)
def begin_run(request: wire.LabRequest, lab: TheLab, client: Client) -> wire.LabRun:
    """Start an experiment. It runs in a process of its own, for 20 seconds at most."""
    position = read_text(request.game, request.position, (request.width, request.height)).position
    experiment = Experiment(
        kind=request.kind,
        depth=request.depth,
        techniques=tuple(dict.fromkeys(request.techniques)),
        evaluation=request.evaluation,
        weights=None if request.weights is None else tuple(request.weights),
        order=request.order,
    )
    return run_view(lab.begin(experiment, position, client))


@router.get("/runs/{id}")
def one_run(run_id: RunId, lab: TheLab) -> wire.LabRun:
    """An experiment, with what it has found by now."""
    return run_view(lab.run(run_id))


@router.post("/runs/{id}/stop")
def stop_run(run_id: RunId, request: wire.StopRequest, lab: TheLab) -> wire.LabRun:
    """End an experiment; what it has found so far stays."""
    run = lab.run(run_id)
    run.stop()
    return run_view(run)
