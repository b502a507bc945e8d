import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core';

/**
 * Buttons and their like in the primary colour take it from a variable, which an organization's own colours replace
 * while the page runs; what is written on them goes with it.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const { color, theme, variant } = input;
  const resolved = defaultVariantColorsResolver(input);
  if ((color ?? theme.primaryColor) !== theme.primaryColor) return resolved;
  switch (variant) {
    case 'filled':
      return {
        ...resolved,
        background: 'var(--hg-primary)',
        hover: 'var(--hg-primary-hover)',
        color: 'var(--hg-on-primary)',
      };
    case 'outline':
      return {
        ...resolved,
        hover: 'var(--hg-primary-tint)',
        color: 'var(--hg-primary)',
        border: '1px solid var(--hg-primary)',
      };
    case 'light':
    case 'subtle':
      return {
        ...resolved,
        background: variant === 'light' ? 'var(--hg-primary-tint)' : 'transparent',
        hover: 'var(--hg-primary-tint)',
        color: 'var(--hg-primary)',
      };
    default:
      return resolved;
  }
};

export const theme = createTheme({
  variantColorResolver,
  autoContrast: true,
  defaultRadius: 'md',
  // People with a touch screen hit 44 px; the default of 36 is for a mouse.
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    FileInput: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md', color: 'var(--hg-primary)', iconColor: 'var(--hg-on-primary)' } },
    Modal: { defaultProps: { centered: true } },
  },
});
