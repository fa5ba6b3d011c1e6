// The commands of a teacher, as buttons. One of them is the main one.
import { api } from "../../api";
import { action, type Action } from "../../components/actions";
import type { ClassView, PupilView } from "../../wire";
import type { Room } from "../room/room.svelte";
import type { Offer } from "./offer.svelte";

export type Sheet = "tournament" | "export" | "more";

export interface Desk {
  room: Room;
  view: ClassView;
  offer: Offer;
  chosen: PupilView[]; // at most two
  open: (sheet: Sheet) => void;
  paired: () => void; // the choice of people is used up
}

export function pairTwo({ room, offer, chosen, paired }: Desk): Action | null {
  const [one, other] = chosen;
  if (!one || !other) return null;
  const run = async () => {
    const pairs = [[one.person, other.person]];
    if (await room.send((code) => api.pair(code, { ...offer.request, pairs }))) paired();
  };
  return action("pair-two", `Pair ${one.name} with ${other.name}`, "pair", run, {
    isMain: true,
    isDisabled: room.isBusy,
    key: "P",
  });
}

export function teacherActions(desk: Desk): Action[] {
  const { room, view, offer, open } = desk;
  const isOff = view.is_over || view.people.length === 0;
  const isFree = view.people.filter((pupil) => pupil.is_here && !pupil.game).length > 1;
  const isPlaying = view.tournament !== null && !view.tournament.is_over; // its own card has the main button
  const hasTwo = desk.chosen.length === 2;
  return [
    action("pair", "Pair everyone", "pair", () => room.send((code) => api.pair(code, offer.request)), {
      isMain: !hasTwo && !isPlaying,
      isDisabled: isOff || room.isBusy || !isFree,
      ...(hasTwo ? {} : { key: "P" }),
    }),
    action("tournament", "Start tournament", "cup", () => open("tournament"), {
      isDisabled: isOff || isPlaying,
    }),
    view.is_paused
      ? action("pause", "Go on", "play", () => room.send((code) => api.pauseClass(code, false)))
      : action("pause", "Pause all", "pause", () => room.send((code) => api.pauseClass(code, true)), {
          isDisabled: isOff,
        }),
    action("export", "Export results", "file", () => open("export"), { isDisabled: view.tiles.length === 0 }),
    action("more", "More", "more", () => open("more")),
  ];
}
