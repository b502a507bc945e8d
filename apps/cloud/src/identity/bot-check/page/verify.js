/*
 * Solves the bot check and posts `{ verification_token }` or `{ verification_error }` to the window that opened this page,
 * to the page around its frame, or to the window itself, where the app of a WebView listens.
 */

/** Languages of the service, and what ALTCHA calls them. */
const TRANSLATIONS = {
  af: 'af',
  cs: 'cs',
  da: 'da',
  de: 'de',
  el: 'el',
  es: 'es-es',
  fr: 'fr-fr',
  hu: 'hu',
  it: 'it',
  lt: 'lt',
  nl: 'nl',
  pl: 'pl',
  pt: 'pt-pt',
  ro: 'ro',
  uk: 'uk',
  vi: 'vi',
  zh: 'zh-cn',
  'zh-tw': 'zh-tw',
  'zh-hk': 'zh-tw',
  'zh-hant': 'zh-tw',
};

/** A token is good for five minutes; a page that stays open asks to do it again a little earlier. */
const TOKEN_LIFETIME_MS = 4.5 * 60 * 1000;

/** Browsers have no cryptography for pages that anybody on the way could have changed. */
const NEEDS_HTTPS = 'The check works only on a page that was loaded over HTTPS.';

const outcome = document.querySelector('#outcome');
let renewal;

const language = await loadLanguage();
const texts = globalThis.$altcha.i18n.get(language);
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker('/register/verify/worker.js'));

const widget = document.createElement('altcha-widget');
widget.setAttribute('challenge', '/register/verify/challenge');
widget.setAttribute('language', language);
widget.setAttribute('auto', 'onload');
widget.setAttribute('configuration', JSON.stringify({ hideFooter: true, humanInteractionSignature: false }));
widget.addEventListener('statechange', ({ detail: { state, payload } }) => {
  clearTimeout(renewal);
  outcome.textContent = state === 'expired' ? texts.expired : '';
  if (state === 'verified') trade(JSON.parse(atob(payload)));
  if (state === 'error') fail(isSecureContext ? texts.error : NEEDS_HTTPS);
});
outcome.before(widget);

/** Trades what the browser found for a token. */
async function trade(solution) {
  const answer = await post(solution);
  if (answer.status === 200) {
    announce(answer.body);
    renewal = setTimeout(() => widget.reset('expired'), TOKEN_LIFETIME_MS);
    return;
  }
  if (answer.status === 422) {
    widget.reset('expired');
    announce({ verification_error: texts.expired });
  } else widget.reset('error');
}

function fail(reason) {
  outcome.textContent = reason;
  announce({ verification_error: reason });
}

async function post(solution) {
  try {
    const response = await fetch('/register/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(solution),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0 };
  }
}

/** To any origin: a token is worth nothing without an address to register. */
function announce(message) {
  window.opener?.postMessage(message, '*');
  // The parent of a top-level window is the window itself: the one that an app's WebView has.
  window.parent.postMessage(message, '*');
  window.ReactNativeWebView?.postMessage(JSON.stringify(message));
}

/** Loads the texts of the first of the visitor's languages that there are texts in: the one of the page around, first. */
async function loadLanguage() {
  const chosen = new URLSearchParams(location.search).get('language');
  const languages = [...(chosen === null ? [] : [chosen]), ...navigator.languages];
  for (const wanted of languages.map((tag) => tag.toLowerCase())) {
    const [primary, second] = wanted.split('-');
    if (primary === 'en') break;
    const name = TRANSLATIONS[wanted] ?? TRANSLATIONS[`${primary}-${second}`] ?? TRANSLATIONS[primary];
    if (name === undefined) continue;
    await import(`/register/verify/i18n/${name}.js`);
    document.documentElement.lang = wanted;
    return name;
  }
  return 'en';
}
