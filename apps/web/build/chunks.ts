/** The libraries that every page stands on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack|wouter|clsx|use-sync-external-store)\/|\/@mantine\/core\/esm\/core\//;

/** Parts of them that a first view does without. */
const LATER =
  /\/(?:Trans|TransWithoutContext|[^/]*[iI]nfinite[^/]*|queriesObserver|useQueries|mutationObserver|useMutation)\.js$/;

/** Preloads pages before the libraries have loaded, and so imports none of them. */
const PRELOAD =
  /^\0(?:vite\/preload-helper|virtual:texts$)|\/node_modules\/regexparam\/|\/shared\/routing\/preload\.ts$/;
const PRELOAD_PORTAL =
  /\/src\/portal\/(?:preload|page-table|[a-z]+\/pages|site\/tab-table|sites\/search|parts\/page-size)\.ts$/;
const PRELOAD_DEVICE = /\/src\/device\/(?:preload|page-table)\.ts$/;

/** Our code on every page, and the client of a device. */
const FRAME =
  /\/apps\/web\/src\/shared\/(?:app-frame\.tsx|shell\/slow-load-notice\.css|(?:browser(?!\/save-file)|errors|i18n(?!\/(?:switch-locale|locale-missing)\.ts)|queries|routing|theme|components\/(?:icons|states|title))\/|frame\/page-frame\.module\.css)|\/packages\/(?:client\/src\/(?!cloud|api\/|diagnostics|device-backups|tariffs|alerts|http\/(?:cause-message|refusals|retry))|contracts\/src\/schemas\/locales\.ts|wire\/)/;

/** An account changes the language when it signs in, a device only on request. */
const LANGUAGE = /\/shared\/i18n\/(?:switch-locale|locale-missing)\.ts$/;

/** The frame of pages that have a navigation. */
const PAGE_FRAME = /\/apps\/web\/src\/shared\/frame\/[a-z-]+\.tsx?$/;

/** Buttons and what is typed into. */
const CONTROLS =
  /\/@mantine\/core\/esm\/components\/(?:ActionIcon|Alert|Button|CloseButton|Input|InputBase|Loader|PasswordInput|TextInput|Transition|UnstyledButton)\/|\/apps\/web\/src\/shared\/components\/form\/(?!use-api-form\.ts)/;

/** Typography of most pages of the portal. */
const TYPOGRAPHY = /\/@mantine\/core\/esm\/components\/(?:Anchor|Group|Stack|Text|Title)\//;

/** Live values, and how they are written. */
const LIVE =
  /\/apps\/web\/src\/shared\/(?:live\/|format\/|metrics\/(?:value-tile|format-value|use-format-value)\.|components\/(?:flow|card)\/)/;

/** The frame of every page of an application, with the styles of its prerendered shell. */
const PORTAL =
  /\/packages\/(?:client\/src\/(?:api\/|http\/refusals)|contracts\/src\/operations\/portal\.static\.ts)|\/src\/portal\/(?:brand|frame|session\/(?!cloud)|entry\/(?:welcome|sign-in)\/[a-z-]+\.module\.css)/;
const DEVICE =
  /\/src\/device\/(?:session\/(?:device|session|watch-unauthorized)|sign-in\/password-hint\.module\.css|frame\/bare-page\.module\.css)/;

/** Copying, and QR codes. */
const COPY = /\/apps\/web\/src\/shared\/components\/(?:copy|qr)\//;

/** Choices: language and colours on every page, hardware on a device. */
const CHOICES =
  /\/@mantine\/core\/esm\/components\/NativeSelect\/|\/apps\/web\/src\/shared\/(?:preferences|components\/choice)\//;

/** Lists that are shown piece by piece, here and on a device. */
const LONG_LISTS = /\/@tanstack\/[^/]+\/build\/modern\/[^/]*[iI]nfinite[^/]*\.js$/;

/** Lists of sites, and one site: what the page that people come for most needs besides. */
const SITES =
  /\/packages\/(?:client\/src\/cloud|contracts\/src\/operations\/cloud\.static\.ts)|\/src\/portal\/(?:session\/cloud|parts\/(?:paged|more-button|query-result)|site\/(?:online|queries|hardware-labels)|sites\/(?:queries|limit-concurrency|headline))/;

/** The overview of a device, with the frame of all its pages. */
const DEVICE_LAYOUT =
  /\/src\/device\/(?:authenticated-layout|frame\/(?:frame|navigation)|overview\/overview-page)\b/;

/**
 * Code that pages share goes into few files: many small ones compress worse, and each costs time on a slow line. The
 * rest stays in the chunk of its page.
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
 * Makes V8 compile a whole script while it is loading, off the page's own thread. Otherwise V8 compiles each function
 * at its first call, a third of the work of a slow phone before a page shows.
 */
export const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad';

/** Whether first views run most of a chunk. */
export function isFirst(name: string): boolean {
  return name !== 'controls' && CHUNK_GROUPS.some((group) => group.name === name);
}
