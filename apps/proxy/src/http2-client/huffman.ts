import { HUFFMAN_BITS } from './hpack-tables.ts';

const END_OF_TEXT = 256;
/** A step of a walk that begins at a node: the next node, whether the code ends there, and the byte if one was completed. */
const NODE_MASK = 0xff;
const BYTE_SHIFT = 9;
const HAS_BYTE = 0x100;
/** A step into the code of the end of a text, which no text may contain. */
const INVALID = -1;

/** For each node of the tree of codes and each four bits: the step. */
const STEPS: Int32Array = new Int32Array(256 * 16);
/** Nodes where a text may end: on the way of the end's code, up to seven bits from the root. */
const MAY_END: Uint8Array = new Uint8Array(256);
buildSteps();

/** @returns undefined when the bytes are not the code of a text (RFC 7541 section 5.2) */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | undefined {
  const out = Buffer.allocUnsafe(((end - start) * 8) / 5 + 1);
  let length = 0;
  let node = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    for (let shift = 4; shift >= 0; shift -= 4) {
      const step = STEPS[node * 16 + ((byte >>> shift) & 0xf)] ?? INVALID;
      if (step === INVALID) return undefined;
      if (step & HAS_BYTE) out[length++] = step >>> BYTE_SHIFT;
      node = step & NODE_MASK;
    }
  }
  return MAY_END[node] === 1 ? out.toString('latin1', 0, length) : undefined;
}

/** Children of each node: a node, or the complement of a byte; the root is node 0. */
function buildTree(): number[][] {
  const symbols = HUFFMAN_BITS.map((bits, symbol) => ({ bits, symbol }));
  symbols.sort((a, b) => a.bits - b.bits || a.symbol - b.symbol);
  const tree: number[][] = [[]];
  let code = 0;
  let length = 0;
  for (const { bits, symbol } of symbols) {
    code *= 2 ** (bits - length);
    length = bits;
    let node = 0;
    for (let bit = bits - 1; bit > 0; bit--) {
      const children = tree[node] ?? [];
      const side = (code >>> bit) & 1;
      if (children[side] === undefined) children[side] = tree.push([]) - 1;
      node = children[side];
    }
    const leaf = tree[node] ?? [];
    leaf[code & 1] = ~symbol;
    code++;
  }
  return tree;
}

function buildSteps(): void {
  const tree = buildTree();
  for (let start = 0; start < tree.length; start++) {
    for (let bits = 0; bits < 16; bits++) STEPS[start * 16 + bits] = stepFrom(tree, start, bits);
  }
  for (let node = 0, bits = 0; bits < 8; bits++) {
    MAY_END[node] = 1;
    node = tree[node]?.[1] ?? 0;
  }
}

function stepFrom(tree: readonly number[][], start: number, bits: number): number {
  let node = start;
  let completed = 0;
  for (let bit = 3; bit >= 0; bit--) {
    const next = tree[node]?.[(bits >>> bit) & 1] ?? 0;
    if (next >= 0) node = next;
    else if (~next === END_OF_TEXT) return INVALID;
    else {
      completed = HAS_BYTE | (~next << BYTE_SHIFT);
      node = 0;
    }
  }
  return completed | node;
}
