/* The part of the consent page where a person chooses one of their sites. */

import { element, request } from './page.js';

/** Longest list that is looked through without a search. */
const MAX_UNSEARCHED = 8;

/** A page of sites, as the API has it. */
const PAGE = 50;

/** How long somebody who types may pause before the search begins, in milliseconds. */
const PAUSE_MS = 250;

let chosen = null;
/** The search that was begun last: what others still answer is out of date. */
let latest = 0;

/** @returns the id of the chosen site, null without one */
export const chosenSite = () => chosen?.id ?? null;

/**
 * Lists the sites, with the one chosen that was before, or is the only one.
 *
 * @param path where the sites are
 * @returns the answer, when it is a refusal, and how many there are, of many only a page
 */
export async function offerSites(path, before) {
  const response = await request('GET', path);
  if (response.status !== 200) return { refused: response, count: 0 };
  const sites = response.answer;
  chosen = before ?? (sites.length === 1 ? sites[0] : null);
  element('search').value = '';
  element('search').oninput = () => search(path);
  element('search-part').hidden = sites.length <= MAX_UNSEARCHED;
  element('site-choice').hidden = sites.length === 0;
  complainOfSite('');
  list(sites, '');
  return { count: sites.length };
}

/** Says what is wrong with the choice, and goes there. */
export function complainOfSite(error) {
  element('sites-error').textContent = error;
  if (error !== '') element('sites').querySelector('input')?.focus();
}

async function search(path) {
  latest += 1;
  const mine = latest;
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  if (mine !== latest) return;
  const words = element('search').value.trim();
  const response = await request('GET', `${path}?${new URLSearchParams({ q: words })}`);
  if (mine !== latest) return;
  if (response.status === 200) list(response.answer, words);
  else element('found').textContent = 'The search failed. Try again.';
}

/** What is chosen stays in sight, whatever is searched for. */
function list(sites, words) {
  const isListed = chosen === null || sites.some(({ id }) => id === chosen.id);
  element('sites').replaceChildren(...(isListed ? sites : [chosen, ...sites]).map(choice));
  element('found').textContent = summary(sites.length, words);
}

function summary(count, words) {
  if (count >= PAGE) return `These are the first ${PAGE}. Search to find others.`;
  if (words === '') return '';
  if (count === 0) return 'None of your sites matches.';
  return count === 1 ? 'One site matches.' : `${count} sites match.`;
}

function choice(site) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'radio', name: 'site', value: site.id, checked: site.id === chosen?.id });
  input.onchange = () => {
    chosen = site;
    complainOfSite('');
  };
  const text = document.createElement('span');
  text.append(site.name ?? `Site ${site.id}`);
  if (site.description) {
    const description = document.createElement('small');
    description.textContent = site.description;
    text.append(description);
  }
  const label = document.createElement('label');
  label.className = 'choice';
  label.append(input, text);
  return label;
}
