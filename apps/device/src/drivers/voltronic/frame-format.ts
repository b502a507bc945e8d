import type { FrameMatch } from '../../bus/byte-bus.ts';

/** How a protocol of Voltronic puts commands and answers into frames. */
export interface FrameFormat {
  /** The frame of a command that changes nothing, such as `QPI`. */
  readonly queryFrame: (command: string) => Uint8Array;
  /** The frame of a command that changes something, such as `POP01`. */
  readonly setFrame: (command: string) => Uint8Array;
  /**
   * Finds an answer among the bytes of a line.
   *
   * @param accepts whether a text can be the answer: frames do not name their request, so a late one is recognised
   *   by its form alone
   */
  readonly findAnswer: (bytes: Uint8Array, accepts: (text: string) => boolean) => FrameMatch;
  readonly parseAnswer: (frame: Uint8Array) => ParsedAnswer;
  /** The text of the answer to a command that was taken. */
  readonly acknowledged: string;
  /** The text of the answer to an unknown command or a value that is not accepted. */
  readonly refused: string;
}

/** The text inside the frame of one whole answer; `fault` is the reason why it is rejected. */
export type ParsedAnswer = { readonly text: string } | { readonly fault: string };

/** Longer than any answer that there is; what goes on without an end is noise. */
export const MAX_FRAME_LENGTH = 512;

export const CARRIAGE_RETURN = 0x0d;

/** Bytes behind the text of a frame: two check bytes and a carriage return. */
export const TRAILER_LENGTH = 3;
