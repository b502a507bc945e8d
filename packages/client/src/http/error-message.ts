/** Messages for statuses whose answer has none. */
const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request was not understood',
  401: 'The credentials are missing, wrong or expired',
  403: 'The credentials do not allow this',
  404: 'There is no such thing, or none that these credentials may see',
  413: 'The request is too large',
  415: 'The request has a form that is not supported',
  422: 'The request was refused',
  429: 'Too many requests; try again later',
  502: 'The device cannot be reached',
  503: 'The device is offline',
  504: 'The device did not answer in time',
};

/**
 * The message of an error body in words, whichever shape it has: `{error: "text"}`, `{errors: {field: ["text"]}}`,
 * or OAuth's `{error, error_description}`; nested field names are joined with dots.
 */
export function errorMessage(status: number, body: Readonly<Record<string, unknown>>): string {
  if (typeof body.error_description === 'string') return body.error_description;
  if (typeof body.error === 'string' && body.error !== '') return body.error;
  if (isRecord(body.error) && typeof body.error.message === 'string') return body.error.message;
  const fields = Object.entries(fieldMessages(body));
  if (fields.length > 0)
    return fields.flatMap(([field, texts]) => texts.map((text) => `${field} ${text}`)).join('; ');
  return STATUS_MESSAGES[status] ?? `HTTP status ${status}`;
}

/** The messages of `{errors: {field: ["text"]}}` by field; nested fields have dots in their names: `connections.0.bus`. */
export function fieldMessages({
  errors,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  return isRecord(errors) ? Object.fromEntries(messagesIn(errors, '')) : {};
}

function messagesIn(errors: Readonly<Record<string, unknown>>, prefix: string): [string, string[]][] {
  return Object.entries(errors).flatMap(([field, value]): [string, string[]][] => {
    const name = `${prefix}${field}`;
    if (Array.isArray(value)) return [[name, value.map(String)]];
    if (typeof value === 'string') return [[name, [value]]];
    return isRecord(value) ? messagesIn(value, `${name}.`) : [];
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
