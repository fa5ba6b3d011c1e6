// What is played: the teacher's choice for the next pairing.
import { clockOf, type ClockChoice } from "../../setup/draft";
import type { PairRequest } from "../../wire";

export class Offer {
  game = $state<"connect4" | "checkers">("connect4");
  clock = $state<ClockChoice>("none");

  get request(): Pick<PairRequest, "game" | "clock"> {
    return { game: this.game, clock: clockOf(this.clock) ?? null };
  }
}
