import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SocketHandlers } from "../src/api";
import { Link } from "../src/lib/link";
import type { ClientMessage } from "../src/wire";

class FakeServer {
  sockets: { handlers: SocketHandlers; sent: ClientMessage[]; isClosed: boolean }[] = [];
  changes: boolean[] = [];

  link(): Link {
    return new Link(
      (handlers) => {
        const socket = { handlers, sent: [] as ClientMessage[], isClosed: false };
        this.sockets.push(socket);
        return { send: (message) => socket.sent.push(message), close: () => (socket.isClosed = true) };
      },
      { received: () => undefined, changed: (isOpen) => this.changes.push(isOpen), revision: () => 7 },
    );
  }

  get last() {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }
}

describe("the link to a game", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("says what it has when it opens", () => {
    const server = new FakeServer();
    server.link();
    server.last.handlers.opened();
    expect(server.last.sent).toEqual([{ kind: "resume", revision: 7 }]);
    expect(server.changes).toEqual([true]);
  });

  it("tries again, more and more slowly, until the server is back", () => {
    const server = new FakeServer();
    server.link();
    for (const wait of [250, 500, 1000, 2000, 4000, 4000]) {
      const tried = server.sockets.length;
      server.last.handlers.closed();
      vi.advanceTimersByTime(wait - 1);
      expect(server.sockets).toHaveLength(tried);
      vi.advanceTimersByTime(1);
      expect(server.sockets).toHaveLength(tried + 1);
    }
    server.last.handlers.opened();
    expect(server.changes.at(-1)).toBe(true);
  });

  it("tries at once when it is hurried", () => {
    const server = new FakeServer();
    const link = server.link();
    server.last.handlers.closed();
    link.hurry();
    expect(server.sockets).toHaveLength(2);
  });

  it("gives up a socket that has fallen silent", () => {
    const server = new FakeServer();
    server.link();
    server.last.handlers.opened();
    vi.advanceTimersByTime(24_000);
    expect(server.sockets[0]).toMatchObject({ isClosed: true });
    expect(server.changes.at(-1)).toBe(false);
  });

  it("stays open while pings are answered", () => {
    const server = new FakeServer();
    server.link();
    server.last.handlers.opened();
    for (let i = 0; i < 10; i += 1) {
      vi.advanceTimersByTime(8_000);
      server.last.handlers.received({ kind: "pong" });
    }
    expect(server.sockets).toHaveLength(1);
  });

  it("stays closed when it was closed", () => {
    const server = new FakeServer();
    const link = server.link();
    link.close();
    server.last.handlers.closed();
    vi.advanceTimersByTime(60_000);
    expect(server.sockets).toHaveLength(1);
  });
});
