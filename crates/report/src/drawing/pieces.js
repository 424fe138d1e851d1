// Draws pieces with the symbols of the page, as drawing/board.rs does. Pages and exports contain this file.

const SVG = "http://www.w3.org/2000/svg";
const PAINT = { white: ["#fffdf6", "#1d1b18"], black: ["#26231f", "#f4efe4"] };

function svgElement(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Reads the figures of a board, such as "A,B,0,N;H,N,180,": letter, symbol, turn in degrees, and the symbol of a mark.
function readFigures(text) {
  return new Map((text ?? "").split(";").filter(Boolean).map(one => {
    const [letter, symbol, turn, mark] = one.split(",");
    return [letter, { symbol, turn: Number(turn), mark }];
  }));
}

function use(symbol, x, y, size, more = {}) {
  return svgElement("use", { href: `#man-${symbol}`, x, y, width: size, height: size, ...more });
}

// A piece on the square whose corner is x, y. A piece without a figure is a token with its letter.
function drawPiece(letter, x = 0, y = 0, figures = new Map()) {
  const role = letter.toUpperCase(), color = letter === role ? "white" : "black";
  const [fill, stroke] = PAINT[color];
  const usual = "KQRBNP".includes(role) ? role : "";
  const figure = figures.get(role) ?? { symbol: usual, turn: 0, mark: "" };
  const made = svgElement("g", {
    class: color, fill, stroke, "stroke-width": figure.symbol ? 3.5 : 4, "stroke-linejoin": "round", "stroke-linecap": "round",
  });
  if (!figure.symbol) {
    const text = svgElement("text", {
      x: x + 50, y: y + 68, "text-anchor": "middle", "font-family": "sans-serif",
      "font-weight": "bold", "font-size": 52, fill: stroke, stroke: "none",
    });
    text.textContent = role;
    made.append(svgElement("circle", { cx: x + 50, cy: y + 50, r: 38 }), text);
  } else if (figure.mark) {
    made.append(use(figure.symbol, x - 2, y + 6, 94), use(figure.mark, x + 58, y, 42, { "stroke-width": 6 }));
  } else {
    made.append(use(figure.symbol, x, y, 100, figure.turn ? { transform: `rotate(${figure.turn} ${x + 50} ${y + 50})` } : {}));
  }
  return made;
}

// Draws the pieces of another placement on a board.
function drawPieces(svg, placement) {
  const figures = readFigures(svg.dataset.figures);
  const rows = placement.split("/").map((row, at) => {
    let x = 0;
    return [...row].flatMap(letter => {
      if (letter >= "1" && letter <= "9") { x += 100 * Number(letter); return []; }
      x += 100;
      return [drawPiece(letter, x - 100, 100 * at, figures)];
    });
  });
  svg.querySelector(".men").replaceChildren(...rows.flat());
}
