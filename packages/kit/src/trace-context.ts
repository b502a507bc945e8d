import { randomFillSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Header names of W3C Trace Context (https://www.w3.org/TR/trace-context/), and of the request id in answers. */
export const TRACEPARENT = 'traceparent';
export const TRACESTATE = 'tracestate';
export const REQUEST_ID = 'x-request-id';

/** One request in one process. */
export interface TraceContext {
  /** The request's id in the cloud, the proxy and the device alike: 32 hexadecimal digits. */
  readonly traceId: string;
  /** The part of this process: 16 hexadecimal digits. */
  readonly spanId: string;
  /** The part of the caller; undefined where the request begins here. */
  readonly parentSpanId: string | undefined;
  /** Whether the caller may have recorded its part, and wants the others to. */
  readonly sampled: boolean;
  /** The `tracestate` of vendors, passed on as it came. */
  readonly state: string | undefined;
}

/** Version 00; a later one may have more fields. */
const HEADER = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const INVALID_VERSION = 'ff';
const SAMPLED = 1;

/** Longest `tracestate` that is passed on, in characters, as the standard requires at least. */
const MAX_STATE = 512;
/** Printable ASCII. */
const STATE = /^[ -~]*$/;

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Random bytes by the block: a system call for each id would take longer than the rest of it. */
const pool = Buffer.alloc(TRACE_BYTES * 256);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

/** The context of a request: continues that of a valid `traceparent`, and begins one otherwise. */
export function traceOf(headers: IncomingHttpHeaders): TraceContext {
  const { [TRACEPARENT]: parent, [TRACESTATE]: state } = headers;
  const caller = typeof parent === 'string' ? parse(parent) : undefined;
  if (caller === undefined) {
    return {
      traceId: randomHex(TRACE_BYTES),
      spanId: randomHex(SPAN_BYTES),
      parentSpanId: undefined,
      sampled: true,
      state: undefined,
    };
  }
  const isPassedOn = typeof state === 'string' && state.length <= MAX_STATE && STATE.test(state);
  return { ...caller, spanId: randomHex(SPAN_BYTES), state: isPassedOn ? state : undefined };
}

/** The `traceparent` for those that this process calls for the request. */
export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

function parse(header: string): Pick<TraceContext, 'traceId' | 'parentSpanId' | 'sampled'> | undefined {
  const [, version, traceId = '', parentSpanId = '', flags = '', rest] = HEADER.exec(header) ?? [];
  if (version === undefined || version === INVALID_VERSION) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(parentSpanId)) return undefined;
  return { traceId, parentSpanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
