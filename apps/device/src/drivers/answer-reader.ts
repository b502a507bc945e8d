import type { Quantity } from '@heliograph/metrics';
import type { Entry } from './entries.ts';
import { BadFrame } from './frame-errors.ts';

/** A number in an answer. */
export interface NumberField {
  readonly quantity: Quantity;
  readonly type: FieldType;
  /** The value of one count; 1 when left out. */
  readonly scale?: number;
  /** Added to the counts before they are scaled. */
  readonly offset?: number;
}

export type FieldType = 'u8' | 'u16' | 's16' | 'u24' | 'u32';

/** More cells in series or sensors than any module has: what claims more is not such an answer. */
export const MAX_CELLS = 32;
export const MAX_SENSORS = 16;

const BYTES = { u8: 1, u16: 2, s16: 2, u24: 3, u32: 4 } as const;

/** Reads the values of an answer in their order, numbers with their most significant byte first. */
export class AnswerReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws BadFrame when the answer is at its end */
  take(type: FieldType): number {
    const at = this.#at;
    const bytes = BYTES[type];
    if (at + bytes > this.#view.byteLength) throw new BadFrame('the answer is too short for what it holds');
    this.#at += bytes;
    if (type === 'u8') return this.#view.getUint8(at);
    if (type === 'u16') return this.#view.getUint16(at);
    if (type === 's16') return this.#view.getInt16(at);
    if (type === 'u32') return this.#view.getUint32(at);
    return this.#view.getUint16(at) * 0x100 + this.#view.getUint8(at + 2);
  }

  /** @throws BadFrame */
  takeMany(count: number, type: FieldType): readonly number[] {
    return Array.from({ length: count }, () => this.take(type));
  }

  /** @throws BadFrame */
  takeText(length: number): string {
    return Buffer.from(this.takeMany(length, 'u8')).toString('latin1');
  }

  /** @throws BadFrame */
  takeFields(fields: readonly NumberField[]): readonly Entry[] {
    return fields.map(({ quantity, type, scale = 1, offset = 0 }) => [
      quantity,
      (this.take(type) + offset) * scale,
    ]);
  }

  /** A count in one byte, and that many numbers. @throws BadFrame when the count is beyond any battery */
  takeList(type: FieldType, most: number): readonly number[] {
    const count = this.take('u8');
    if (count === 0 || count > most) throw new BadFrame(`the answer tells of ${count} cells or sensors`);
    return this.takeMany(count, type);
  }

  /** @throws BadFrame when something is left */
  end(): void {
    const left = this.#view.byteLength - this.#at;
    if (left > 0) throw new BadFrame(`the answer holds ${left} bytes more than is known`);
  }
}
