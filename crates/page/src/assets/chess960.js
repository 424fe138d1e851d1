// Initial positions of Chess960.

/**
 * The initial position with this number, from 0 to 959, as Reinhard Scharnagl has numbered them: 518 is the usual one.
 * @param {number} number
 */
export function chess960(number) {
  const row = Array(8).fill("");
  const free = () => row.flatMap((letter, file) => letter ? [] : [file]);
  row[2 * (number % 4) + 1] = "b";
  row[2 * (Math.floor(number / 4) % 4)] = "b";
  row[free()[Math.floor(number / 16) % 6]] = "q";
  const PAIRS = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
  const left = free();
  for (const at of PAIRS[Math.floor(number / 96)]) row[left[at]] = "n";
  free().forEach((file, at) => { row[file] = "rkr"[at]; });
  const black = row.join("");
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} w KQkq - 0 1`;
}

/** A random number of an initial position. */
export const anyNumber = () => Math.floor(Math.random() * 960);
