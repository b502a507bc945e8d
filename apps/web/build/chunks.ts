/** The libraries that every page stands on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack|wouter|regexparam|clsx|use-sync-external-store)\/|\/@mantine\/core\/esm\/core\//;

/** Parts of them that a first view does without. */
const LATER =
  /\/(?:Trans|TransWithoutContext|[^/]*[iI]nfinite[^/]*|queriesObserver|useQueries|mutationObserver|useMutation)\.js$/;

/** What every page stands in, and how it speaks to a device. */
const FRAME =
  /\/apps\/web\/src\/shared\/(?:app-frame\.tsx|(?:browser|errors|frame|i18n|routing|theme|components\/(?:icons|states|title))\/)|\/packages\/(?:client\/src\/(?!cloud)|wire\/)/;

/** Buttons and what is typed into. */
const CONTROLS =
  /\/@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Button|CloseButton|Input|InputBase|Loader|PasswordInput|TextInput|Transition|UnstyledButton)\/|\/apps\/web\/src\/shared\/components\/form\//;

/** What most pages are written in. */
const WORDS = /\/@mantine\/core\/esm\/components\/(?:Anchor|Group|Stack|Text|Title)\//;

/** Live values, and how they are written. */
const LIVE = /\/apps\/web\/src\/shared\/(?:live|format|components\/(?:flow|tile))\//;

/**
 * What pages have in common goes into few files: many small ones compress worse, and each costs a slow line time. The
 * rest stays where it is used.
 */
export const CHUNK_GROUPS = [
  { name: 'base', test: (id: string): boolean => BASE.test(id) && !LATER.test(id) },
  { name: 'frame', test: FRAME },
  { name: 'controls', test: CONTROLS },
  { name: 'words', test: WORDS },
  { name: 'live', test: LIVE },
];
