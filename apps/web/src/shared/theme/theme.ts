import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Slate blue of an evening sky: white text on the sixth and darker keeps a contrast of 4.5. */
const dusk: MantineColorsTuple = [
  '#eef3fb',
  '#dbe4f3',
  '#b3c6e6',
  '#89a7d9',
  '#678dce',
  '#517dc8',
  '#3b69b5',
  '#315a9f',
  '#294e8c',
  '#1d3f75',
];

export const theme = createTheme({
  colors: { dusk },
  primaryColor: 'dusk',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  // People with a touch screen hit 44 px; the default of 36 is for a mouse.
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    Modal: { defaultProps: { centered: true } },
  },
});
