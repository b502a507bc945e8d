/** Fields of one answer; more are not taken. */
const MAX_FIELDS = 128;
/** The size of a field besides its name and value, in bytes (RFC 9113 section 6.5.2). */
const FIELD_OVERHEAD_BYTES = 32;

const NAME = /^[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** Characters that no value may contain. */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const UPPER_CASE = /[A-Z]/;
const STATUS = /^[1-9]\d\d$/;
const LENGTH = /^\d{1,15}$/;
/** Headers of HTTP/1.1 that concern a connection; an answer with one is malformed (RFC 9113 section 8.2.2). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case and values by turns, without pseudo headers. */
  readonly fields: readonly string[];
  /** Declared length of the body in bytes; undefined if it is unknown. */
  readonly contentLength: number | undefined;
  /** Whether no body follows. */
  readonly isWhole: boolean;
}

/**
 * Checks the head of an answer (RFC 9113 section 8.3.2). Fields that HTTP/1.1 could not pass on are left out.
 *
 * @param raw names and values by turns
 * @param maxBytes longest head
 * @returns undefined for a malformed one
 */
export function responseHeadOf(
  raw: readonly string[],
  maxBytes: number,
  isWhole: boolean,
): ResponseHead | undefined {
  const [first, status = ''] = raw;
  if (first !== ':status' || !STATUS.test(status) || raw.length > 2 * MAX_FIELDS) return undefined;
  const fields: string[] = [];
  let contentLength: number | undefined;
  let bytes = 0;
  for (let i = 2; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    bytes += name.length + value.length + FIELD_OVERHEAD_BYTES;
    if (!NAME.test(name)) {
      if (name.startsWith(':') || UPPER_CASE.test(name)) return undefined;
      continue;
    }
    if (CONNECTION_HEADERS.has(name)) return undefined;
    if (NOT_IN_VALUE.test(value)) continue;
    if (name === 'content-length') {
      if (contentLength !== undefined || !LENGTH.test(value)) return undefined;
      contentLength = Number(value);
    }
    fields.push(name, value);
  }
  return bytes > maxBytes ? undefined : { status: Number(status), fields, contentLength, isWhole };
}

/** The value of a field; the first one if there are several. */
export function fieldOf({ fields }: ResponseHead, name: string): string | undefined {
  for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1];
  return undefined;
}
