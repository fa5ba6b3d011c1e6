// A class on the page: what the server says about it, and what is asked of the server.
import { api, ApiError } from "../../api";
import { Link } from "../../lib/link";
import type { ClassroomEvent, ClassView } from "../../wire";
import { arrange, update, type LiveTile } from "./tiles.svelte";

const LOOK_AGAIN_MS = 60_000; // "away 3 min" grows without any news

export class Room {
  view = $state.raw<ClassView | null>(null);
  tiles = $state.raw<LiveTile[]>([]);
  link = $state<"opening" | "open" | "gone">("opening");
  problem = $state(""); // why the last command was refused
  missing = $state(""); // why there is no such class
  isBusy = $state(false);

  private connection: Link<ClassroomEvent> | null = null;

  constructor(readonly code: string) {}

  /** Follow the class until the returned function is called. */
  open(): () => void {
    const link = new Link<ClassroomEvent>((handlers) => api.classEvents(this.code, handlers), {
      received: (event) => this.received(event),
      changed: (isOpen) => (this.link = isOpen ? "open" : "gone"),
      revision: () => null,
    });
    this.connection = link;
    const timer = setInterval(() => void this.lookAgain(), LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      link.close();
    };
  }

  /** The tab came to the front, or the network is back. */
  hurry(): void {
    this.connection?.hurry();
  }

  received(event: ClassroomEvent): void {
    if (event.kind === "tiles") update(this.tiles, event.tiles);
    else if (event.kind === "class") this.take(event.view);
    else if (event.kind === "error") this.refused(event.error.kind, event.error.message);
  }

  /** Send a command. The answer is not used: the socket tells it, in the order of what happened. */
  async send(call: (code: string) => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.problem = "";
    try {
      await call(this.code);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  private take(view: ClassView): void {
    this.view = view;
    this.tiles = arrange(this.tiles, view.tiles);
  }

  private refused(kind: string, message: string): void {
    if (kind !== "unknown-class") {
      this.problem = message;
      return;
    }
    this.missing = `No class ${this.code} here. Ask your teacher for the code.`;
    this.connection?.close();
  }

  private async lookAgain(): Promise<void> {
    if (this.link !== "open" || !this.view?.people.some((pupil) => !pupil.is_here)) return;
    const seen = await api.oneClass(this.code).catch(() => null);
    if (seen && this.view) this.view = { ...this.view, people: seen.people };
  }
}
