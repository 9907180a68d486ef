// A bot in JavaScript, without dependencies and without rules: the host sends the legal moves with every position.
// It buys the card with the highest number (the dearest) that it can, and else takes tokens that nobody has many of.
//
//     splendor match "engine:node examples/saver.js" random --games 20
"use strict";

const COLORS = "wugrk"; // white, blue, green, red, black

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// The fields of a position are separated by spaces; the seventh is the bank: six digits, one for each color.
function bankOf(position) {
  return [...position.split(" ")[6]].map(Number);
}

function worth(move, bank) {
  if (move.startsWith("b")) return 1000 + parseInt(move.slice(1), 10) - (move.includes("=") ? 0.5 : 0);
  if (move.startsWith("+")) {
    const [taken, returned = ""] = move.slice(1).split("@")[0].split("-");
    const value = (tokens) => [...tokens].reduce((sum, color) => sum + 10 - (bank[COLORS.indexOf(color)] ?? 0), 0);
    return value(taken) - 2 * value(returned);
  }
  return move.startsWith("r") ? -50 : -100;
}

function best({ position, moves }) {
  const bank = bankOf(position);
  return moves.reduce((one, other) => (worth(other, bank) > worth(one, bank) ? other : one));
}

let shown = null; // the last position
const answers = {
  hello: ({ id, rules }) => send({ type: "welcome", id, protocol: 1, name: "saver", author: "examples", rules }),
  position: (request) => { shown = request; },
  go: ({ id }) => send({ type: "best", id, move: best(shown) }),
  ping: ({ id }) => send({ type: "pong", id }),
  quit: () => process.exit(0),
  stop: () => {}, // every answer comes at once
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const request = JSON.parse(line);
    const answer = answers[request.type];
    if (answer) answer(request);
    else send({ type: "error", id: request.id, reason: `this bot does not know ${request.type}` });
  });
