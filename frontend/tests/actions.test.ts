// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { actionsOf } from "../src/play/actions";
import { Play } from "../src/play/play.svelte";
import { adopt } from "../src/play/state";
import { game } from "./views";

/** The commands that change a game; those of `allowed`. */
const CHANGES = ["takeback", "redo", "hint", "resign", "draw", "step"] as const;

describe("commands that change the game", () => {
  const disabled = (play: Play) => CHANGES.filter((name) => actionsOf(play)[name].isDisabled);
  const allowed = { takeback: true, redo: true, hint: true, resign: true, draw: true, step: true };

  it("are off until there is a game", () => {
    expect(disabled(new Play())).toEqual(CHANGES);
  });

  it("are on when the server allows them, each by itself", () => {
    const play = new Play();
    adopt(play.state, game({ allowed }));
    expect(disabled(play)).toEqual([]);
    for (const name of CHANGES) {
      adopt(play.state, game({ allowed: { ...allowed, [name]: false } }));
      expect(disabled(play)).toEqual([name]);
    }
  });

  it("are off while the server does not answer", () => {
    const play = new Play();
    adopt(play.state, game({ allowed }));
    play.state.link = "gone";
    expect(disabled(play)).toEqual(CHANGES);
    play.state.link = "open";
    expect(disabled(play)).toEqual([]);
  });
});

describe("what comes after a game", () => {
  it("is a rematch, or the page of the class", () => {
    const play = new Play();
    adopt(play.state, game({ status: "over" }));
    expect(actionsOf(play).rematch.id).toBe("rematch");
    adopt(play.state, game({ status: "over", in_class: true }));
    expect(actionsOf(play).rematch.id).toBe("class");
  });
});
