// The drawing of pieces: crates/report/src/drawing/pieces.js, served as a module.

/** Picture of a kind of piece. */
export interface Figure { symbol: string; turn: number; mark: string }

export function svgElement(name: string, attributes: Record<string, string | number>): SVGElement;
export function readFigures(text: string | undefined): Map<string, Figure>;
export function drawPiece(letter: string, x?: number, y?: number, figures?: Map<string, Figure>): SVGElement;
export function drawPieces(svg: SVGElement, placement: string): void;
