/*
 * Does what the links in mails are for, with the public API:
 *
 *     /sign_in#confirm/<token>                      confirms an email address
 *     /sign_in#password/reset/<token>               sets another password
 *     /sign_in#password/set/<token>?site_id=7       sets the first password of somebody who was invited
 *
 * `?organization_id=7` before the fragment says for which organization; without it, for none.
 */

import { commonProblem, complain, element, request, show } from './page.js';

const LINK = /^#(confirm|password\/reset|password\/set)\/([^?]+)/;

/** What a password has to have; the API has the last word. */
const INGREDIENTS = [
  [/.{8}/su, 'at least 8 characters'],
  [/\p{Ll}/u, 'a lower case letter'],
  [/\p{Lu}/u, 'an upper case letter'],
  [/[\p{N}\p{P}\p{S}]/u, 'a digit or punctuation'],
];

const organization = new URLSearchParams(location.search).get('organization_id') ?? 'none';
const organizationId = /^\d+$/.test(organization) ? Number(organization) : 'none';

addEventListener('hashchange', follow);
follow();

/** Starts with the link that the page was opened with. */
function follow() {
  const [, kind, token] = LINK.exec(location.hash) ?? [];
  if (kind === undefined) return;
  // The token is a secret for a while: it does not stay in the address bar and the history.
  history.replaceState(null, '', location.pathname + location.search);
  if (kind === 'confirm') confirm(token);
  else askForPassword(kind, token);
}

async function confirm(token) {
  show('Confirming your email address', 'One moment …');
  const { ok, problem } = await call('POST', '/api/v1/user/confirm', {
    token,
    organization_id: organizationId,
  });
  if (ok) show('Your email address is confirmed', 'You can close this page and go on where you came from.');
  else show('Your email address is not confirmed', problem);
}

/** @param kind `password/reset` or `password/set`, which is also where the API has it */
function askForPassword(kind, token) {
  const isFirst = kind === 'password/set';
  show(
    isFirst ? 'Welcome to Heliograph' : 'Set a new password',
    isFirst ? 'Choose a password for your new account.' : 'It takes the place of your old one at once.',
  );
  element('terms').hidden = !isFirst;
  element('terms-link').search = `organization_id=${organizationId}`;
  const form = element('form');
  form.hidden = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const errors = complaints(isFirst);
    tell(errors);
    if (Object.keys(errors).length > 0) return;
    element('submit').disabled = true;
    const answer = await call('PUT', `/api/v1/${kind}/${token}`, {
      password: element('password').value,
      organization_id: organizationId,
      ...(isFirst && { accepted_terms: true }),
    });
    element('submit').disabled = false;
    if (answer.ok) finish();
    else tell(answer.errors ?? { form: answer.problem });
  };
}

function finish() {
  element('form').hidden = true;
  element('form').reset();
  show('Your password is set', 'You can close this page and sign in with it.');
}

/** What is wrong before anything is sent. */
function complaints(mustAccept) {
  const password = element('password').value;
  const missing = INGREDIENTS.filter(([pattern]) => !pattern.test(password)).map(([, what]) => what);
  return {
    ...(missing.length > 0 && { password: `The password still needs ${missing.join(', ')}.` }),
    ...(mustAccept && !element('accepted-terms').checked && { terms: 'The terms must be accepted.' }),
  };
}

function tell({ password = '', terms = '', form = '' }) {
  element('form-error').textContent = form;
  complain({ password, 'accepted-terms': terms });
}

/** @returns whether it worked, and what went wrong in words: as a whole, or by field */
async function call(method, path, body) {
  const response = await request(method, path, { body });
  if (response.status >= 200 && response.status < 300) return { ok: true };
  const password = response.answer.errors?.password;
  if (password !== undefined)
    return { ok: false, errors: { password: `The password ${password.join(', ')}.` } };
  const tooLate = 'This link is no longer good: it was used already, or it is too old. Ask for a new one.';
  return { ok: false, problem: commonProblem(response) ?? tooLate };
}
