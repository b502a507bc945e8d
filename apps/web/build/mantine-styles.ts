import type { Plugin } from 'vite';

/** Components of Mantine that few first views render. */
export const LATER_COMPONENTS: ReadonlySet<string> = new Set([
  'Badge',
  'Checkbox',
  // With the arrow of NativeSelect.
  'Combobox',
  'Fieldset',
  'InlineInput',
  'Modal',
  'ModalBase',
  'NumberInput',
  'Overlay',
  'Radio',
  'Switch',
]);

/** The names of a component's classes, which its scripts import. */
const CLASS_NAMES = /\/@mantine\/core\/esm\/(?:components|utils)\/\w+\/(\w+)\.module\.mjs$/;

/** Mantine's other colours have no variables. `apps/web/src/shared/theme/colors.d.ts` has the same list. */
const COLORS: ReadonlySet<string> = new Set(['blue', 'dark', 'gray', 'green', 'orange', 'red', 'yellow']);

const VARIABLES = /\/@mantine\/core\/styles\/default-css-variables\.css$/;

const COLOR_VARIABLE = /--mantine-color-([a-z]+)-(?:\d|filled|light|outline|text|contrast)[a-z-]*:[^;}]*;?/g;

/** Loads the style sheets of some components of Mantine together with their scripts, instead of before every page, and drops the variables of colours that none uses. */
export function mantineStyles(): Plugin {
  return {
    name: 'heliograph:mantine-styles',
    enforce: 'pre',
    transform(code, id) {
      if (VARIABLES.test(id))
        return {
          code: code.replaceAll(COLOR_VARIABLE, (line, color) => (COLORS.has(color) ? line : '')),
          map: null,
        };
      const [, component = ''] = CLASS_NAMES.exec(id) ?? [];
      if (!LATER_COMPONENTS.has(component)) return undefined;
      return {
        code: `import '@mantine/core/styles/${component}.css';\n${code}`,
        map: null,
        moduleSideEffects: true,
      };
    },
  };
}
