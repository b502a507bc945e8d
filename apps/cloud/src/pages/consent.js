/*
 * Asks the person in front of the browser whether a program may have what it asks for:
 *
 *     /oauth/consent/<uid>
 *
 * A cookie of this path says which request it is about, another one who is signed in; scripts see neither.
 */

import { chosenSite, complainOfSite, offerSites } from './consent-sites.js';
import { commonProblem, complain, element, request, show } from './page.js';

const PARTS = ['sign-in', 'decision', 'allow', 'cancel', 'again'];

const path = location.pathname.replace(/\/+$/, '');
const post = (what, body = {}) => request('POST', `${path}/${what}`, { body });

/** What the program asks for, as the API has it. */
let asked;

element('sign-in').onsubmit = (event) => {
  event.preventDefault();
  signIn();
};
element('another').onclick = useAnotherAccount;
element('allow').onclick = allow;
element('cancel').onclick = () => answer('deny', {});
element('again').onclick = () => start();
// A page that the browser had kept: what it shows may be over.
addEventListener('pageshow', ({ persisted }) => persisted && start());
start();

/** @param reason why somebody who was signed in, or should be, has to sign in */
async function start(reason) {
  const response = await request('GET', `${path}/request`);
  if (response.status !== 200) return fail(response);
  asked = response.answer;
  showOrganization(asked.organization);
  if (asked.user === null) askToSignIn(reason);
  else await askToDecide();
}

function showOrganization(organization) {
  const logo = element('logo');
  logo.hidden = !organization?.logo;
  if (organization?.logo) logo.src = organization.logo;
}

function askToSignIn(reason) {
  const { application, signs_in_again: again, login_hint: hint } = asked;
  if (element('email').value === '') element('email').value = hint ?? '';
  showParts('sign-in', 'cancel');
  const why = again
    ? `${application.name} wants to be sure that it is you: sign in again.`
    : 'Sign in to see what exactly, and to decide.';
  show(`${application.name} asks for access`, `${introduction()} ${reason ?? why}`);
}

/** Who asks, as far as it is known. */
function introduction() {
  const { application, organization } = asked;
  const place = placeOf(application.redirect_host);
  if (organization !== null) {
    return `It is an application of ${organization.name}. It takes you back to ${place}.`;
  }
  const origin = application.published_at;
  const who =
    origin === null
      ? 'Nobody at this service knows this program, which chose its name itself.'
      : `This program is of ${origin}, which chose its name.`;
  return `${who} It takes you back to ${place}: go on only if you have just come from there.`;
}

/** @param host with a port if there is one; a scheme where an app opens the address */
function placeOf(host) {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(host)) return 'a program on this computer';
  return host.endsWith(':') ? `the app on this device that opens ${host} addresses` : host;
}

async function signIn() {
  const email = element('email').value.trim();
  const password = element('password').value;
  element('sign-in-error').textContent = '';
  complain({
    email: email === '' ? 'The email address is missing.' : '',
    password: password === '' ? 'The password is missing.' : '',
  });
  if (email === '' || password === '') return;
  const response = await whileBusy(() => post('sign_in', { email, password }));
  if (response.status === 404) return fail(response);
  if (response.status !== 204) {
    element('sign-in-error').textContent = refusalOf(response);
    return;
  }
  element('sign-in').reset();
  // The page asks anew instead of believing that the browser keeps its cookie.
  await start('Your browser did not keep you signed in. Allow cookies for this page and try again.');
}

function refusalOf(response) {
  if (response.status === 401) return 'The email address or the password is wrong.';
  if (response.status === 412) {
    return 'This email address is not confirmed yet. Follow the link in the email that we have sent, and sign in again.';
  }
  return commonProblem(response) ?? 'That is no email address and password that anybody could sign in with.';
}

async function useAnotherAccount() {
  const response = await whileBusy(() => post('sign_out'));
  if (response.status !== 204) return tellProblem(response);
  element('email').value = '';
  asked = { ...asked, user: null, login_hint: null, signs_in_again: false };
  askToSignIn();
}

async function askToDecide() {
  const { application, user, scopes, chooses_site: choosesSite, site_chosen_before: before } = asked;
  element('site-choice').hidden = true;
  const { refused, count } = choosesSite ? await offerSites(`${path}/sites`, before) : { count: 1 };
  if (refused?.status === 401) return start('You were signed out meanwhile.');
  if (refused !== undefined) return fail(refused);
  element('account').textContent = user.name === user.email ? user.email : `${user.name}, ${user.email}`;
  element('scopes').replaceChildren(...scopes.map(scopeItem));
  element('duration').textContent = count === 0 ? '' : durationText();
  element('decision-error').textContent = '';
  if (count === 0) {
    showParts('decision', 'cancel');
    show(
      `You have no site for ${application.name}`,
      'It asks for access to a site, and this account has none. Register your site first, or let its owner invite you; then start again there.',
    );
  } else {
    showParts('decision', 'allow', 'cancel');
    show(`${application.name} asks for access`, introduction());
  }
}

function scopeItem({ text }) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

/** How long it goes on: site tokens live for a week, and shared sites until somebody ends it. */
function durationText() {
  if (!asked.chooses_site) return 'If you allow it, it may do so for a day, and then has to ask again.';
  return (
    'If you allow it, it may do so for a day, and read live data for up to a week. ' +
    'It may also add the site to those of its organization, which reads the site from then on; ' +
    'the operator of this service can undo that.'
  );
}

async function allow() {
  const site = chosenSite();
  if (asked.chooses_site && site === null) return complainOfSite('Choose a site first.');
  await answer('allow', asked.chooses_site ? { site_id: site } : {});
}

async function answer(what, body) {
  const response = await whileBusy(() => post(what, body));
  if (response.status === 200) return leave(response.answer.location);
  if (response.status === 401) return start('You were signed out meanwhile.');
  if (response.status === 422) {
    await askToDecide();
    return complainOfSite('That site is not yours any more. Choose another one.');
  }
  tellProblem(response);
}

/** Not kept in the history: going back leads to where the person came from, and not to a request that is over. */
function leave(next) {
  showParts();
  show(
    `Going back to ${asked.application.name}`,
    'One moment … If nothing happens, go back there yourself. You can close this page then.',
  );
  location.replace(next);
}

/** Of a failure after which the person may try again, where they are. */
function tellProblem(response) {
  if (response.status === 404) return fail(response);
  const part = element('decision').hidden ? 'sign-in-error' : 'decision-error';
  element(part).textContent = commonProblem(response) ?? 'That did not work. Load the page again.';
}

function fail(response) {
  if (response.status === 404) {
    showParts();
    show(
      'This request is no longer good',
      'It has expired or was answered already. Go back to where you came from, and start again there.',
    );
    return;
  }
  showParts('again');
  show('This page cannot be shown', commonProblem(response) ?? 'Something went wrong.');
}

/** Of what the page has besides its title and message, shows these parts alone. */
function showParts(...ids) {
  for (const id of PARTS) element(id).hidden = !ids.includes(id);
}

async function whileBusy(work) {
  const buttons = [...document.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    return await work();
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}
