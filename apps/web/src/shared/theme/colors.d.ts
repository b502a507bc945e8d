import type { MantineColorsTuple } from '@mantine/core';

/** The colours that the style sheets of the pages have variables for: those in `apps/web/build/mantine-styles.ts`. */
type Color = 'blue' | 'dark' | 'gray' | 'green' | 'orange' | 'red' | 'yellow';

declare module '@mantine/core' {
  interface MantineThemeColorsOverride {
    colors: Record<Color | `${Color}.${number}` | 'dimmed' | `var(--${string})`, MantineColorsTuple>;
  }
}
