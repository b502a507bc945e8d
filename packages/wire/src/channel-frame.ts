/**
 * The channel protocol of the live stream, in both framings that clients speak.
 *
 *     vsn=2.0.0   [join_ref, ref, topic, event, payload]
 *     vsn=1.0.0   { "topic", "event", "payload", "ref", "join_ref" }
 *     otherwise   that of the client's first frame
 */
export interface ChannelFrame {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Framing = 'array' | 'object';

/** The framing that a connection's `vsn` query parameter asks for; undefined where it names no version that is known. */
export function framingOf(vsn: string | null | undefined): Framing | undefined {
  const [, major] = /^([12])(?:\.|$)/.exec(vsn ?? '') ?? [];
  if (major === undefined) return undefined;
  return major === '2' ? 'array' : 'object';
}

/** The framing of a frame that {@link decodeFrame} can read. */
export function framingOfFrame(text: string): Framing {
  return text.trimStart().startsWith('[') ? 'array' : 'object';
}

export function encodeFrame(frame: ChannelFrame, framing: Framing): string {
  const { joinRef, ref, topic, event, payload } = frame;
  return framing === 'array'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref, join_ref: joinRef });
}

/** Reads a frame of either framing, whichever the client sends; null when it is neither. */
export function decodeFrame(text: string): ChannelFrame | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = Array.isArray(parsed) ? arrayFields(parsed) : objectFields(parsed);
  if (fields === null || typeof fields.topic !== 'string' || typeof fields.event !== 'string') return null;
  return {
    joinRef: refOf(fields.joinRef),
    ref: refOf(fields.ref),
    topic: fields.topic,
    event: fields.event,
    payload: isRecord(fields.payload) ? fields.payload : {},
  };
}

interface RawFields {
  readonly joinRef: unknown;
  readonly ref: unknown;
  readonly topic: unknown;
  readonly event: unknown;
  readonly payload: unknown;
}

function arrayFields(frame: readonly unknown[]): RawFields | null {
  if (frame.length !== 5) return null;
  const [joinRef, ref, topic, event, payload] = frame;
  return { joinRef, ref, topic, event, payload };
}

function objectFields(frame: unknown): RawFields | null {
  if (!isRecord(frame)) return null;
  const { join_ref: joinRef, ref, topic, event, payload } = frame;
  return { joinRef, ref, topic, event, payload };
}

function refOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
