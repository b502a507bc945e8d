/*
 * Signs a browser in that came from a site of its own:
 *
 *     /sign_in?to_site=home&region=eu&return_to=/power
 *
 * finds the site by its name, and goes on to `https://{site_host}/callback?token=&key=&return_to=`. It goes nowhere but
 * to the host that the API answers for that site. `region` may be left out, `return_to` too, which is a path there.
 */

import { commonProblem, complain, element, request, show } from './page.js';

/** Where a tab keeps its session, so that a second site needs no second password. */
const SESSION = 'session';

/** How a tab remembers where it went lately. */
const OPENINGS = 'openings';

/** A site that sends its visitor back so often within this time, in milliseconds, lets nobody in. */
const LOOP = { openings: 3, withinMs: 30_000 };

const query = new URLSearchParams(location.search);
const site = query.get('to_site');
const region = query.get('region') ?? '';
// What browsers take for another host is no path on the site, which looks at this once more.
const returnTo = /^\/(?![/\\])/.test(query.get('return_to') ?? '') ? query.get('return_to') : '/';

/** What hostnames and names of regions are made of: the search knows more signs, which must not come from a link. */
const NAME = /^[a-z0-9-]{1,63}$/i;

if (site !== null) start();

function start() {
  if (!NAME.test(site) || !(region === '' || NAME.test(region))) {
    show(
      'This link names no site',
      'Open the address of the site again, and look whether it is written correctly.',
    );
    return;
  }
  element('sign-in').onsubmit = (event) => {
    event.preventDefault();
    signIn();
  };
  element('another').onclick = () => {
    sessionStorage.removeItem(SESSION);
    askToSignIn();
  };
  const session = sessionStorage.getItem(SESSION);
  if (session === null) askToSignIn();
  else findSite(JSON.parse(session));
}

function askToSignIn(message = 'Use the account that owns the site, or was invited to it.') {
  showParts('sign-in');
  show(`Sign in to open ${site}`, message);
  element('email').focus();
}

async function signIn() {
  const email = element('email').value.trim();
  const password = element('current-password').value;
  tell({
    email: email === '' ? 'The email address is missing.' : '',
    password: password === '' ? 'The password is missing.' : '',
  });
  if (email === '' || password === '') return;
  element('sign-in-submit').disabled = true;
  const response = await request('POST', '/api/v1/sign_in', {
    body: { email, password, organization_id: 'none' },
  });
  element('sign-in-submit').disabled = false;
  if (response.status !== 200) {
    tell({ form: refusalOf(response) });
    return;
  }
  const session = { email, token: response.answer.token };
  sessionStorage.setItem(SESSION, JSON.stringify(session));
  element('sign-in').reset();
  findSite(session);
}

function refusalOf(response) {
  if (response.status === 401) return 'The email address or the password is wrong.';
  if (response.status === 412) {
    return 'This email address is not confirmed yet. Follow the link in the email that we have sent, and sign in again.';
  }
  return commonProblem(response) ?? 'That is no email address and password that anybody could sign in with.';
}

async function findSite({ email, token }) {
  showParts();
  show(`Opening ${site}`, 'One moment …');
  const terms = [`name:${site}`, ...(region === '' ? [] : [`region:${region}`])];
  const parameters = new URLSearchParams({ q: terms.join(' ') });
  const response = await request('GET', `/api/v1/sites?${parameters}`, { token });
  if (response.status !== 200) return fail(response);
  const found = response.answer;
  if (found.length === 0) noAccess(email);
  else if (found.length === 1) await open(found[0].id, token);
  else choose(found, token);
}

/** Sites of different regions may have the same name. */
function choose(found, token) {
  showParts('choices');
  show(`Which ${site}?`, 'You have more than one site of this name.');
  element('choices').replaceChildren(
    ...found.map(({ id, url }) => {
      const button = document.createElement('button');
      button.textContent = url === null ? `Site ${id}` : new URL(url).host;
      button.onclick = () => open(id, token);
      return button;
    }),
  );
}

async function open(id, token) {
  const response = await request('POST', `/api/v1/sites/${id}/authorize`, { token });
  if (response.status !== 200) return fail(response);
  const { site_host: host, token: siteToken, site_key: key } = response.answer;
  if (host === undefined) {
    showParts();
    show(
      `${site} cannot be opened in a browser`,
      'Its address does not allow it. The app reaches it all the same.',
    );
    return;
  }
  if (goesRound()) {
    showParts();
    show(
      `${site} does not let you in`,
      'Your browser may refuse its cookies. Allow them, and load this page again.',
    );
    return;
  }
  const callback = new URL(`${schemeFor(host)}://${host}/callback`);
  callback.search = new URLSearchParams({ token: siteToken, key, return_to: returnTo });
  // Not kept in the history: going back does not come here again, and the token does not stay there.
  location.replace(callback.href);
}

/** Whether the tab came back from the site again and again; then it begins to count anew. */
function goesRound() {
  const lately = JSON.parse(sessionStorage.getItem(OPENINGS) ?? '[]').filter(
    (opening) => opening.site === site && Date.now() - opening.at < LOOP.withinMs,
  );
  const isLoop = lately.length >= LOOP.openings;
  const kept = isLoop ? [] : [...lately, { site, at: Date.now() }];
  sessionStorage.setItem(OPENINGS, JSON.stringify(kept));
  return isLoop;
}

function noAccess(email) {
  showParts('another');
  show(
    `You have no access to ${site}`,
    `There is no such site, or ${email} is not among its members. Its owner can invite you.`,
  );
}

function fail(response) {
  if (response.status === 401) {
    sessionStorage.removeItem(SESSION);
    askToSignIn('You were signed out meanwhile. Sign in again to go on.');
    return;
  }
  showParts('another');
  const problem = response.status === 503 ? response.answer.error : undefined;
  show(
    `${site} cannot be opened`,
    problem ?? commonProblem(response) ?? 'You may have just lost access to it.',
  );
}

/** Of what else the page has, shows these parts alone. */
function showParts(...ids) {
  for (const id of ['sign-in', 'another', 'choices']) element(id).hidden = !ids.includes(id);
}

function tell({ email = '', password = '', form = '' }) {
  element('sign-in-error').textContent = form;
  complain({ email, 'current-password': password });
}

/** Only on the machine itself, where nobody can listen in, sites are served without TLS. */
function schemeFor(host) {
  const { hostname } = new URL(`http://${host}`);
  const isLoopback =
    hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /(^|\.)localhost$/.test(hostname);
  return isLoopback ? 'http' : 'https';
}
