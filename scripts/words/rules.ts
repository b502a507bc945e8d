/** Words that a reader has to decode when they stand in a name, and what to write instead. */
export const NAME_WORDS: Readonly<Record<string, string>> = {
  alike: 'isSame, equal, responseKey',
  ask: 'request, query, read, fetch',
  asked: 'requested',
  asks: 'requests, queries, requires',
  crossing: 'InFlight',
  departures: 'recentlyLeft',
  desk: 'service',
  dismissals: 'replaced',
  early: 'preload',
  guess: 'attempt',
  guesses: 'attempts',
  hear: 'receive, listen',
  heard: 'received, lastSeen',
  hears: 'receives',
  junk: 'unexpected',
  lookout: 'probe',
  nobody: 'none, anonymous',
  office: 'services',
  over: 'ended, expired, handover',
  passage: 'RequestContext',
  past: 'history, elapsed',
  reception: 'ingress',
  room: 'retention, capacity',
  said: 'reported',
  say: 'report, print',
  says: 'reports, states',
  shelf: 'tier',
  shots: 'payloads, requests',
  somebody: 'member, caller, person',
  standing: 'status, permissions',
  strange: 'unexpected, foreign',
  tell: 'report, notify, send, print',
  tells: 'reports, notifies',
  told: 'reported, notified, LatestValue',
  trouble: 'failure, error',
  visitor: 'client, ClientAddress',
  visitors: 'clients',
  whom: 'recipient, peer',
  whose: 'owner',
  whoever: 'caller',
  wish: 'input, request',
  wishes: 'inputs, requests',
  words: 'label, message',
};

/** Names that hold such a word all the same, each with its reason. */
export const ALLOWED_NAMES: Readonly<Record<string, string>> = {
  Visitor: 'of Vite',
  handOverSession: 'the published id of an operation',
  over: 'the window function of SQL, as Kysely calls it',
};

/** Words that leave a sentence without its subject, or have to be read twice. */
export const PROSE_WORDS: readonly string[] = [
  'anew',
  'anybody',
  'everybody',
  'hear',
  'heard',
  'hears',
  'nobody',
  'somebody',
  'tell',
  'tells',
  'told',
  'says',
  'what came',
  'whoever',
  'whom',
  'wish',
  'wishes',
];

/** A comment that begins so describes without naming its subject. */
export const COMMENT_STARTS: readonly string[] = ['What', 'Where', 'Who', 'Whom', 'Whose'];

/** A title that begins so needs its `describe` before it makes sense. */
export const TITLE_STARTS: ReadonlySet<string> = new Set(
  (
    'about after again also and are as asked at before because but by cannot can could did do does done even for ' +
    'from gone had has have if in into is it its lest let lets like made may might must nor not of on once only or ' +
    'so still than that then they thus to until upon was were what whatever when where which while who whom whose ' +
    'with without'
  ).split(' '),
);

/** Verbs without a subject. As nouns in the plural they are fine before a verb or a preposition. */
export const TITLE_VERBS: ReadonlySet<string> = new Set(
  (
    'accepts activates adds aligns allows announces answers applies asks authenticates authorizes avoids balances ' +
    'begins behaves blames breaks brings builds calls carries changes checks chooses claims cleans clears closes ' +
    'collapses collects combines comes compares computes confirms connects contains continues converts copies ' +
    'corrects costs counts covers creates cuts decides declares decodes defers deletes delivers denies derives ' +
    'describes detects draws drops encodes ends enforces ensures escapes exits expires explains exposes fails falls ' +
    'fetches fills filters finds finishes fits follows forgets forwards frees gets gives goes grants greets guards ' +
    'guesses handles has hears hides holds identifies ignores includes informs inserts invalidates invites joins ' +
    'judges keeps knows lands lasts leads learns leaves lets limits lists loads locks logs looks loses mails makes ' +
    'maps marks matches measures mentions merges misses moves names needs never notices offers omits opens orders ' +
    'outlives pages parses passes pauses paints picks polls posts presents prints produces prompts protects proves ' +
    'provides publishes puts queues quotes raises reaches reads rebuilds receives recognises reconnects records ' +
    'recovers redacts redirects reduces refers refills refreshes refuses registers rejects releases reloads ' +
    'remembers removes renders renews repeats replaces replies reports requests requires resets resolves responds ' +
    'restarts restores resumes retries returns reuses reveals revokes rises rolls rotates rounds runs saves says ' +
    'sees selects sends separates serves sets shares shifts shortens shows signs skips sleeps slows sorts speaks ' +
    'spends splits spreads starts stays stops stores strips subscribes sums survives switches takes tells tests ' +
    'throws times touches tracks translates treats tries trims trusts turns undoes understands unlocks updates ' +
    'upgrades uses validates verifies waits wakes warns weighs withholds withstands works wraps writes yields'
  ).split(' '),
);

/** After these a first word that ends in s was a noun: "changes are ..." */
export const AFTER_PLURAL: ReadonlySet<string> = new Set(
  'and are at between by can cannot come do for from had have in make may must never of on or over stay that were with without'.split(
    ' ',
  ),
);
