// A socket that reconnects: the server may be restarted while the page is open.
import type { ClientMessage, Event } from "../wire";

export interface Socket {
  send(message: ClientMessage): void;
  close(): void;
}

export interface SocketHandlers<E = Event> {
  opened(): void;
  received(event: E): void;
  closed(): void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const PING_MS = 8_000;
const SILENCE_MS = 20_000;

export interface LinkHandlers<E = Event> {
  received(event: E): void;
  changed(isOpen: boolean): void;
  revision(): number | null; // revision of the game on the page; null: none yet, or no game
}

export class Link<E = Event> {
  private socket: Socket | null = null;
  private waitMs = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  private isClosed = false;

  constructor(
    private readonly open: (handlers: SocketHandlers<E>) => Socket,
    private readonly handlers: LinkHandlers<E>,
  ) {
    this.connect();
    this.pinger = setInterval(() => this.ping(), PING_MS);
  }

  /** Reconnect at once, e.g. because the tab came to the front. */
  hurry(): void {
    if (this.socket || this.isClosed) return;
    clearTimeout(this.timer);
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    this.socket?.close();
    this.socket = null;
  }

  private connect(): void {
    this.heardAt = Date.now();
    this.socket = this.open({
      opened: () => this.opened(),
      received: (event) => {
        this.heardAt = Date.now();
        this.handlers.received(event);
      },
      closed: () => this.lost(),
    });
  }

  private opened(): void {
    this.waitMs = FIRST_WAIT_MS;
    this.heardAt = Date.now();
    const revision = this.handlers.revision();
    if (revision !== null) this.socket?.send({ kind: "resume", revision });
    this.handlers.changed(true);
  }

  private lost(): void {
    this.socket = null;
    if (this.isClosed) return;
    this.handlers.changed(false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.waitMs);
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 2);
  }

  private ping(): void {
    if (!this.socket) return;
    if (Date.now() - this.heardAt > SILENCE_MS) {
      this.socket.close();
      this.lost();
    } else {
      this.socket.send({ kind: "ping" });
    }
  }
}
