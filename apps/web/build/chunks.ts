/** The libraries that every page stands on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack|wouter|clsx|use-sync-external-store)\/|\/@mantine\/core\/esm\/core\//;

/** Parts of them that a first view does without. */
const LATER =
  /\/(?:Trans|TransWithoutContext|[^/]*[iI]nfinite[^/]*|queriesObserver|useQueries|mutationObserver|useMutation)\.js$/;

/** Preloads pages before the libraries have loaded, and so imports none of them. */
const PRELOAD =
  /^\0vite\/preload-helper|\/node_modules\/regexparam\/|\/shared\/(?:routing\/preload|i18n\/text-files)\.ts$/;
const PRELOAD_PORTAL =
  /\/src\/portal\/(?:preload|page-table|texts|[a-z]+\/pages|site\/tab-table|sites\/search|parts\/page-size)\.ts$/;
const PRELOAD_DEVICE = /\/src\/device\/(?:preload|page-table|texts)\.ts$/;

/** What every page needs of ours, and how it speaks to a device. */
const FRAME =
  /\/apps\/web\/src\/shared\/(?:app-frame\.tsx|shell\/slow-load-notice\.css|(?:browser|errors|i18n(?!\/(?:switch-locale|locale-missing)\.ts)|queries|routing|theme|components\/(?:icons|states|title))\/|frame\/page-frame\.module\.css)|\/packages\/(?:client\/src\/(?!cloud)|wire\/)/;

/** Changing the language, which an account does at once, and a device no sooner than somebody asks for it. */
const LANGUAGE = /\/shared\/i18n\/(?:switch-locale|locale-missing)\.ts$/;

/** What pages stand in that have a navigation. */
const PAGE_FRAME = /\/apps\/web\/src\/shared\/frame\/[a-z-]+\.tsx?$/;

/** Buttons and what is typed into. */
const CONTROLS =
  /\/@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Button|CloseButton|Input|InputBase|Loader|PasswordInput|TextInput|Transition|UnstyledButton)\/|\/apps\/web\/src\/shared\/components\/form\/(?!use-api-form\.ts)/;

/** What most pages of the portal are written in. */
const TYPOGRAPHY = /\/@mantine\/core\/esm\/components\/(?:Anchor|Group|Stack|Text|Title)\//;

/** Live values, and how they are written. */
const LIVE =
  /\/apps\/web\/src\/shared\/(?:live\/|format\/|metrics\/(?:value-tile|format-value|use-format-value)\.|components\/(?:flow|card)\/)/;

/** What every page of an application stands in, with the styles of what is shown before scripts have come. */
const PORTAL =
  /\/src\/portal\/(?:brand|frame|session\/(?!cloud)|entry\/(?:welcome|sign-in)\/[a-z-]+\.module\.css)/;
const DEVICE =
  /\/src\/device\/(?:session\/(?:device|session|watch-unauthorized)|sign-in\/password-hint\.module\.css|frame\/bare-page\.module\.css)/;

/** What is taken along to another program: copied, or photographed. */
const COPY = /\/apps\/web\/src\/shared\/components\/(?:copy|qr)\//;

/** What is chosen from: languages and colours on every page, hardware on a device. */
const CHOICES =
  /\/@mantine\/core\/esm\/components\/NativeSelect\/|\/apps\/web\/src\/shared\/(?:preferences|components\/choice)\//;

/** Lists that are shown piece by piece, here and on a device. */
const LONG_LISTS = /\/@tanstack\/[^/]+\/build\/modern\/[^/]*[iI]nfinite[^/]*\.js$/;

/** Lists of sites, and one site: what the page that people come for most needs besides. */
const SITES =
  /\/packages\/client\/src\/cloud|\/src\/portal\/(?:session\/cloud|parts\/(?:paged|more-button|query-result)|site\/(?:online|queries|hardware-labels)|sites\/(?:queries|limit-concurrency|headline))/;

/** The overview of a device, with the frame that all of its pages stand in. */
const DEVICE_LAYOUT =
  /\/src\/device\/(?:authenticated-layout|frame\/(?:frame|navigation)|overview\/overview-page)\b/;

/**
 * What pages have in common goes into few files: many small ones compress worse, and each costs a slow line time. The
 * rest stays where it is used.
 */
export const CHUNK_GROUPS = [
  { name: 'preload', test: PRELOAD },
  { name: 'preload-portal', test: PRELOAD_PORTAL },
  { name: 'preload-device', test: PRELOAD_DEVICE },
  { name: 'base', test: (id: string): boolean => BASE.test(id) && !LATER.test(id) },
  { name: 'frame', test: FRAME },
  { name: 'language', test: LANGUAGE },
  { name: 'page-frame', test: PAGE_FRAME },
  { name: 'controls', test: CONTROLS },
  { name: 'typography', test: TYPOGRAPHY },
  { name: 'live', test: LIVE },
  { name: 'copy', test: COPY },
  { name: 'choices', test: CHOICES },
  { name: 'portal-frame', test: PORTAL },
  { name: 'device-frame', test: DEVICE },
  { name: 'long-lists', test: LONG_LISTS },
  { name: 'sites', test: SITES },
  { name: 'device-layout', test: DEVICE_LAYOUT },
];

/**
 * Tells V8 to compile a whole script while it comes over the line, beside the page's own thread. Otherwise it compiles
 * each function when it is called first, which is a third of what a slow phone does before a page shows.
 */
export const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad';

/** Whether first views run most of a chunk. */
export function isFirst(name: string): boolean {
  return name !== 'controls' && CHUNK_GROUPS.some((group) => group.name === name);
}
