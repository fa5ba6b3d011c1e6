// One list and one board for all games of a tournament's report. It knows no rules: every move says which cells change.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (part) => document.querySelector(`[data-part=${part}]`);
  const list = find("list"), more = find("more"), count = find("count"), board = find("board");
  const first = find("first-player"), second = find("second-player"), replay = find("replay");
  const buttons = Object.fromEntries([...replay.querySelectorAll("button")].map((each) => [each.dataset.go, each]));
  const PAGE = 100, RESULTS = ["0-1", "½-½", "1-0"];
  let shown = [], visible = PAGE, game = null, at = 0;

  const title = ([key, a, b, result, reason, , , moves]) => {
    const number = moves ? moves.split(" ").length : 0;
    return `${data.names[a]} – ${data.names[b]}  ${RESULTS[result]}, ${data.reasons[reason]}, ${number} moves (${key})`;
  };

  const fill = () => {
    list.replaceChildren(
      ...shown.slice(0, visible).map((each) => {
        const item = document.createElement("li"), button = document.createElement("button");
        button.type = "button";
        button.textContent = title(each);
        button.setAttribute("aria-current", String(each === game));
        button.addEventListener("click", () => open(each));
        item.append(button);
        return item;
      }),
    );
    more.hidden = shown.length <= visible;
    count.textContent = shown.length === 1 ? "1 game" : `${shown.length} games`;
  };

  const filter = () => {
    const a = Number(first.value), b = Number(second.value);
    const has = (each, player) => player < 0 || each[1] === player || each[2] === player;
    shown = data.games.filter((each) => has(each, a) && has(each, b));
    visible = PAGE;
    if (shown.length && !shown.includes(game)) open(shown[0]);
    else fill();
  };

  const cellsAt = (ply) => {
    const cells = [...data.starts[game[5]]];
    const changed = [];
    for (const [number, step] of steps().slice(0, ply).entries()) {
      for (let place = 0; place < step.length; place += 2) {
        const cell = data.letters.indexOf(step[place]);
        cells[cell] = step[place + 1];
        if (number === ply - 1 && step[place + 1] !== ".") changed.push(cell);
      }
    }
    return [cells, changed];
  };
  const steps = () => (game[6] ? game[6].split(" ") : []);

  const draw = () => {
    const [cells, changed] = cellsAt(at);
    const pieces = cells.map((piece, cell) => (piece === "." ? "" : data.pieces[piece][cell]));
    const rings = changed.map((cell) => data.rings[cell]);
    board.innerHTML = data.board.replace("</svg>", pieces.join("") + rings.join("") + "</svg>");
    const texts = game[7] ? game[7].split(" ") : [], sides = data.sides;
    const end = at === texts.length ? ` ${RESULTS[game[3]]}, ${data.reasons[game[4]]}.` : "";
    const said = at === 0 ? "The start." : `Move ${at} of ${texts.length}, ${sides[(at - 1 + game[8]) % 2]}: ${texts[at - 1]}.`;
    find("caption").textContent = said + end;
    board.querySelector("svg").setAttribute("aria-label", `Board. ${said}`);
    for (const [name, button] of Object.entries(buttons)) {
      const isOff = at === (name === "first" || name === "previous" ? 0 : texts.length);
      button.setAttribute("aria-disabled", String(isOff));
    }
  };

  const open = (chosen) => {
    game = chosen;
    at = steps().length;
    find("title").textContent = title(game);
    find("opening").textContent = data.openings[game[9]] ? `Opening: ${data.openings[game[9]]}` : "";
    find("moves").textContent = game[7];
    find("failure").textContent = game[10] || "";
    replay.hidden = false;
    fill();
    draw();
  };

  const go = (name) => {
    const last = steps().length;
    at = Math.max(0, Math.min(last, { first: 0, previous: at - 1, next: at + 1, last }[name]));
    draw();
  };

  for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", () => go(name));
  replay.addEventListener("keydown", (event) => {
    const name = { Home: "first", ArrowLeft: "previous", ArrowRight: "next", End: "last" }[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(name);
  });
  for (const select of [first, second]) select.addEventListener("change", filter);
  more.addEventListener("click", () => {
    visible += PAGE;
    fill();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pair],[data-game]");
    if (!button) return;
    if (button.dataset.pair) {
      [first.value, second.value] = button.dataset.pair.split(" ");
      game = null;
      filter();
    } else open(data.games.find((each) => each[0] === button.dataset.game));
    find("games").scrollIntoView();
    find("title").focus();
  });
  find("still").remove();
  find("games").hidden = false;
  for (const button of document.querySelectorAll("[data-pair],[data-game]")) button.disabled = false;
  filter();
})();
