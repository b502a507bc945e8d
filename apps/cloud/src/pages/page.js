/* What the pages have in common: their title and message, and how they call the API. */

export const element = (id) => document.getElementById(id);

export const OFFLINE = 'The service cannot be reached. Look at your connection and try again.';

/** Tells what the page is at; read out by screen readers, because the cursor goes there. */
export function show(title, message) {
  document.title = `${title} · Heliograph`;
  element('title').textContent = title;
  element('message').textContent = message;
  element('title').focus();
}

/**
 * Puts each error below its field, and the cursor into the first one that has any.
 *
 * @param errors by the id of the field; '' where there is none
 */
export function complain(errors) {
  for (const [field, error] of Object.entries(errors)) {
    element(`${field}-error`).textContent = error;
    element(field).setAttribute('aria-invalid', String(error !== ''));
  }
  const [first] = Object.entries(errors).find(([, error]) => error !== '') ?? [];
  if (first !== undefined) element(first).focus();
}

/** @returns the status, 0 when the service cannot be reached, and what was answered, empty when that is no JSON */
export async function request(method, path, { body, token } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    return { status: 0, answer: {}, headers: new Headers() };
  }
  return {
    status: response.status,
    answer: await response.json().catch(() => ({})),
    headers: response.headers,
  };
}

/** What failed for a reason that is the same for every operation, in words; undefined for all else. */
export function commonProblem({ status, headers }) {
  if (status === 0) return OFFLINE;
  if (status === 429) return `That was tried too often. Try again ${inMinutes(headers.get('retry-after'))}.`;
  if (status >= 500) return 'Something went wrong on our side. Try again later.';
  return undefined;
}

function inMinutes(seconds) {
  const minutes = Math.ceil(Number(seconds ?? 0) / 60);
  if (minutes < 1) return 'in a while';
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
