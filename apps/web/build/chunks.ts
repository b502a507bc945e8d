/** The libraries that every page stands on. */
const BASE =
  /\/node_modules\/(?:react|react-dom|scheduler|i18next|react-i18next|@tanstack|wouter|clsx|use-sync-external-store)\/|\/@mantine\/core\/esm\/core\//;

/** Parts of them that a first view does without. */
const LATER =
  /\/(?:Trans|TransWithoutContext|[^/]*[iI]nfinite[^/]*|queriesObserver|useQueries|mutationObserver|useMutation)\.js$/;

/** Preloads pages before the libraries have loaded, and so imports none of them. */
const PRELOAD =
  /^\0(?:vite\/preload-helper|virtual:texts$|rolldown\/runtime)|\/node_modules\/regexparam\/|\/shared\/(?:routing\/(?:preload|fill-shell)|browser\/(?:preloaded-requests|browser-storage))\.ts$/;
const PRELOAD_PORTAL =
  /\/src\/portal\/(?:preload|page-table|(?:[a-z-]+\/)+pages|sites\/(?:site\/(?:tab-table|device\/hardware-labels)|list\/search|bulk\/looks-after-others)|ui\/lists\/page-size)\.ts$/;
const PRELOAD_DEVICE = /\/src\/device\/(?:preload|page-table)\.ts$/;

/** Our code on every page, the styles of a part of most, and what clients share. */
const FRAME =
  /\/apps\/web\/src\/shared\/(?:app-frame\.tsx|shell\/slow-(?:change-notice|load-notice\.css)|(?:browser(?!\/(?:save-file|preloaded-requests))|errors|i18n(?!\/(?:switch-locale|locale-missing)\.ts)|queries|routing|theme|components\/(?:icons|states(?!\/(?:empty|placeholder)\.tsx)|title))\/|frame\/page-frame\.module\.css|components\/(?:choice\/choice-bar\.module\.css|card\/card\.module\.css|form\/submit-cancelled\.ts))|\/packages\/(?:client\/src\/(?!cloud|api\/|diagnostics|device-backups|tariffs|alerts|device-client|stream\/|device\/(?:configuration|probes)|http\/(?:cause-message|refusals|retry))|contracts\/src\/text\/locales\.ts)/;

/** An account changes the language when it signs in, a device only on request. */
const LANGUAGE = /\/shared\/i18n\/(?:switch-locale|locale-missing)\.ts$/;

/** The frame of pages that have a navigation. */
const PAGE_FRAME = /\/apps\/web\/src\/shared\/frame\/[a-z-]+\.(?:tsx?|module\.css)$/;

/** Styles of both applications' frames and prerendered shells: a request for each would take longer than their bytes. */
const SHELL_STYLES =
  /\/src\/(?:portal\/(?:frame|identity\/entry\/(?:welcome|sign-in))\/[a-z-]+|portal\/ui\/tabs\/tab-links|portal\/sites\/(?:site\/(?:site-frame|back-to-sites|overview\/(?:live-tab|headline-list))|list\/(?:site-card|sites-page))|device\/(?:frame|sign-in|overview)\/[a-z-]+|shared\/components\/(?:flow\/energy-flow|status\/state-badge)|shared\/(?:units\/units|energy\/energy)-placeholder)\.module\.css$/;

/** Buttons, which more first views show than fields. */
const BUTTONS = /\/@mantine\/core\/esm\/components\/(?:Button|Loader|Transition|UnstyledButton)\//;

/** Fields of text. */
const CONTROLS =
  /\/@mantine\/core\/esm\/components\/(?:CloseButton|Input|InputBase|TextInput)\/|\/apps\/web\/src\/shared\/components\/form\/(?!use-api-form|submit-cancelled|password-field|form-footer|search-field|use-debounced-text)/;

/** The search of a list. */
const SEARCH = /\/apps\/web\/src\/shared\/components\/form\/(?:search-field|use-debounced-text)/;

/** Fields of passwords. */
const PASSWORDS =
  /\/@mantine\/core\/esm\/components\/(?:ActionIcon|PasswordInput)\/|\/apps\/web\/src\/shared\/components\/form\/password-field/;

/** Parts of forms that a sign-in does without. */
const MORE_CONTROLS =
  /\/@mantine\/core\/esm\/components\/Alert\/|\/apps\/web\/src\/shared\/components\/form\/form-footer/;

/** Typography of most pages of the portal. */
const TYPOGRAPHY = /\/@mantine\/core\/esm\/components\/(?:Anchor|Group|Stack|Text|Title)\//;

/** The client of a device, with its stream. */
const DEVICE_CLIENT =
  /\/packages\/(?:client\/src\/(?:device-client|stream\/|device\/(?:configuration|probes))|wire\/)/;

/** Numbers and times in the reader's language, and cards. */
const FORMAT =
  /\/apps\/web\/src\/shared\/(?:format\/(?!device-label)|components\/(?:card|states\/placeholder)\b)/;

/** Live values and their flow, without what first views do without. */
const LIVE =
  /\/apps\/web\/src\/shared\/(?:live\/(?!use-live-numbers)|components\/flow\b|units\/units-placeholder|energy\/energy-placeholder)/;

/** The frame of every page of an application. */
const PORTAL =
  /\/packages\/(?:client\/src\/(?:api\/|http\/refusals)|contracts\/src\/operations\/portal\.static\.ts)|\/src\/portal\/(?:brand|frame(?!\/(?:portal-preferences|account-page))|identity\/second-factor\/fresh-sign-in(?:-host)?\.tsx?$|session\/(?!cloud|own-device))/;
const DEVICE = /\/src\/device\/session\/(?:session|session-client|watch-unauthorized)\.ts/;

/** Copying, and QR codes. */
const COPY = /\/apps\/web\/src\/shared\/components\/(?:copy|qr)\//;

/** Language and colours, at the foot of every page. */
const PREFERENCES =
  /\/@mantine\/core\/esm\/components\/NativeSelect\/|\/apps\/web\/src\/shared\/preferences\//;

/** A choice of a few, and the text in place of an empty list. */
const EMPTY_AND_CHOICE = /\/apps\/web\/src\/shared\/components\/(?:choice\/|states\/empty\.tsx)/;

/** Lists that are shown piece by piece, and requests that change something, in both applications. */
const LISTS_AND_CHANGES =
  /\/@tanstack\/[^/]+\/build\/modern\/(?:[^/]*[iI]nfinite[^/]*|useMutation|mutationObserver)\.js$/;

/** Curves and the energy of a period, which both applications load after the first view of an overview. */
const CURVES =
  /\/node_modules\/uplot\/|\/apps\/web\/src\/shared\/(?:energy\/(?!curves-csv|energy-placeholder)|components\/curve\/|browser\/save-(?:csv|file))|\/@tanstack\/[^/]+\/build\/modern\/(?:useQueries|queriesObserver)\.js$/;

/** Parts of both the lists of sites and the pages of one site. */
const SITES =
  /\/packages\/(?:client\/src\/cloud|contracts\/src\/operations\/cloud\.static\.ts)|\/src\/portal\/(?:session\/cloud|ui\/lists\/(?:paged|more-button|query-result)|sites\/(?:first-question|site\/(?:queries|overview\/headline(?:-list)?)\b|list\/queries|bulk\/limit-concurrency|table\/total-of))|\/apps\/web\/src\/shared\/components\/status\//;

/** Shared by the pages of one site. */
const SITE =
  /\/src\/portal\/(?:ui\/tabs\/tab-links|sites\/site\/(?:site-context|back-to-sites|overview\/live-tab))\.tsx$/;

/** Signing in to the portal. */
const SIGN_IN =
  /\/src\/portal\/identity\/(?:entry\/(?:sign-in-page|sign-in\/[a-z-]+\.tsx?$|form\/(?:carried-email|entry-error|text-link|reject-fields))|second-factor\/passkey\.ts)/;

/** Parts of a device's pages that load after the first view. */
const DEVICE_LATER =
  /\/src\/device\/(?:frame\/(?:bell|foot|store-notice)|setup\/open-steps|claim\/claim-query|links\/links-query|support\/support-(?:banner|query))/;

/** The overview of a device, with the frame of all its pages. */
const DEVICE_LAYOUT =
  /\/src\/device\/(?:authenticated-layout|session\/device|frame\/(?:frame|navigation)|overview\/overview-page)\b/;

/** Patterns of two groups that are more than one pattern. */
const FRAMES = [FRAME, PAGE_FRAME, SHELL_STYLES];
const PAGE_PARTS = [TYPOGRAPHY, EMPTY_AND_CHOICE, LANGUAGE, LISTS_AND_CHANGES];

/**
 * Code that pages share goes into few files: many small ones compress worse, and each costs time on a slow line. The
 * rest stays in the chunk of its page.
 */
export const CHUNK_GROUPS = [
  { name: 'preload', test: PRELOAD },
  { name: 'preload-portal', test: PRELOAD_PORTAL },
  { name: 'preload-device', test: PRELOAD_DEVICE },
  {
    name: 'base',
    test: (id: string): boolean =>
      (BASE.test(id) && !LATER.test(id)) || FRAMES.some((pattern) => pattern.test(id)),
  },
  { name: 'buttons', test: BUTTONS },
  { name: 'controls', test: CONTROLS },
  { name: 'search', test: SEARCH },
  { name: 'passwords', test: PASSWORDS },
  { name: 'more-controls', test: MORE_CONTROLS },
  {
    name: 'page-parts',
    test: (id: string): boolean => PAGE_PARTS.some((pattern) => pattern.test(id)),
  },
  { name: 'preferences', test: PREFERENCES },
  { name: 'device-client', test: DEVICE_CLIENT },
  { name: 'format', test: FORMAT },
  { name: 'live', test: LIVE },
  { name: 'copy', test: COPY },
  { name: 'portal-frame', test: PORTAL },
  { name: 'device-frame', test: DEVICE },
  { name: 'sites', test: SITES },
  { name: 'site', test: SITE },
  { name: 'curves', test: CURVES },
  { name: 'sign-in', test: SIGN_IN },
  { name: 'device-layout', test: DEVICE_LAYOUT },
  { name: 'device-later', test: DEVICE_LATER },
];

/** Each pattern of a module that decides about a chunk. */
export const MODULE_PATTERNS: readonly RegExp[] = [
  BASE,
  LATER,
  ...FRAMES,
  ...PAGE_PARTS,
  ...CHUNK_GROUPS.flatMap(({ test }) => (test instanceof RegExp ? [test] : [])),
];

/**
 * Makes V8 compile a whole script while it is loading, off the page's own thread. Otherwise V8 compiles each function
 * at its first call, a third of the work of a slow phone before a page shows.
 */
export const COMPILE_EAGERLY = '//# allFunctionsCalledOnLoad';

/** Whether first views run most of a chunk. */
export function isFirst(name: string): boolean {
  return (
    !['controls', 'search', 'passwords', 'more-controls', 'preferences', 'curves', 'device-later'].includes(
      name,
    ) && CHUNK_GROUPS.some((group) => group.name === name)
  );
}
