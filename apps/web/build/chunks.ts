/** What every page stands on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack|wouter|regexparam|clsx|use-sync-external-store)\/|\/@mantine\/core\/esm\/(?:core|components\/(?:Alert|Button|CloseButton|Loader|Stack|Text|Title|Transition|UnstyledButton))\//;

/** Parts of the same libraries that a first view does without. */
const LATER =
  /\/(?:Trans|TransWithoutContext|[^/]*[iI]nfinite[^/]*|queriesObserver|useQueries|mutationObserver|useMutation)\.js$/;

const FRAME =
  /\/apps\/web\/src\/shared\/(?:app-frame\.tsx|(?:browser|errors|frame|i18n|routing|theme|components\/(?:icons|states|title))\/)|\/packages\/client\/src\/http\//;

/**
 * What every page needs goes into few files: many small ones compress worse, and each costs a slow line time. The rest
 * stays where it is used.
 */
export const CHUNK_GROUPS = [
  { name: 'base', test: (id: string): boolean => BASE.test(id) && !LATER.test(id) },
  { name: 'frame', test: FRAME },
];
