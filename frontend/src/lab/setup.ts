// The choices of the lab, from an address and back.
import type { LabRoute } from "../lib/route";
import type { EvaluationInfo, LabGame, LabRequest, PositionView } from "../wire";

export type TechniqueName = NonNullable<LabRequest["techniques"]>[number];

export interface LabSetup {
  game: LabRoute["game"];
  text: string; // text of the position
  size: { width: number; height: number };
  depth: number;
  techniques: TechniqueName[];
  against: TechniqueName[] | null; // the second search, if there is one
  evaluation: string;
  weights: number[] | null; // null: the evaluation's own
  order: string | null;
}

const USUAL_SIZE = { width: 7, height: 6 };
const USUAL_DEPTH = 4;

/** The choices of an address; missing or wrong ones get their defaults. */
export function setupOf(route: LabRoute, offer: LabGame, maxDepth: number): LabSetup {
  const known = new Set<string>(offer.techniques.map((technique) => technique.name));
  const keep = (names: string[]) => names.filter((name) => known.has(name)) as TechniqueName[];
  const evaluation = offer.evaluations.find((one) => one.name === route.evaluation) ?? offer.evaluations[0];
  const hasWeights = route.weights?.length === evaluation?.weights.length;
  return {
    game: route.game,
    text: route.position || (route.depth === null ? (offer.examples[0] ?? "") : ""),
    size: route.size ?? USUAL_SIZE,
    depth: Math.max(1, Math.min(maxDepth, route.depth ?? USUAL_DEPTH)),
    techniques: keep(route.techniques ?? offer.presets[1]?.techniques ?? []),
    against: route.against && keep(route.against),
    evaluation: evaluation?.name ?? "",
    weights: hasWeights ? route.weights : null,
    order: offer.orders.find((order) => order.name === route.order)?.name ?? null,
  };
}

/** The address of these choices. */
export function routeOf(setup: LabSetup): LabRoute {
  const isUsualSize = setup.size.width === USUAL_SIZE.width && setup.size.height === USUAL_SIZE.height;
  return {
    kind: "lab",
    game: setup.game,
    position: setup.text,
    size: setup.game === "checkers" || isUsualSize ? null : setup.size,
    depth: setup.depth,
    techniques: setup.techniques,
    against: setup.against,
    evaluation: setup.evaluation,
    weights: setup.weights,
    order: setup.order,
  };
}

export function requestOf(
  setup: LabSetup,
  position: PositionView,
  kind: LabRequest["kind"],
  techniques: TechniqueName[],
): LabRequest {
  return {
    kind,
    game: setup.game,
    ...(setup.game === "connect4" ? { width: position.width, height: position.height } : {}),
    position: position.text,
    depth: setup.depth,
    techniques,
    evaluation: setup.evaluation,
    weights: setup.weights,
    order: setup.order,
  };
}

/** Add or remove a technique, in the order of the list. */
export function toggled(offer: LabGame, names: TechniqueName[], name: TechniqueName): TechniqueName[] {
  const wanted = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  return offer.techniques.map((technique) => technique.name).filter((other) => wanted.includes(other));
}

export function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}

/** "Minimax", "Alpha-beta", or the list of techniques. */
export function nameOf(offer: LabGame, names: readonly TechniqueName[]): string {
  const preset = offer.presets.find((candidate) => isSame(candidate.techniques, names));
  if (preset) return preset.title;
  const titles = offer.techniques
    .filter(({ name }) => names.includes(name))
    .map(({ title }) => title.toLowerCase());
  return `Minimax with ${titles.join(", ")}`;
}

/** The current weights, changed or not. */
export function weightsOf(setup: LabSetup, evaluation: EvaluationInfo | undefined): number[] {
  return setup.weights ?? evaluation?.weights.map((weight) => weight.value) ?? [];
}
