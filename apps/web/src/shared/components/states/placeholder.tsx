import { useTranslation } from 'react-i18next';
import classes from './placeholder.module.css';
import { useIsSlow } from './use-is-slow.ts';

/** A CSS length, or a class that has it: shells have no inline styles. */
type PlaceholderProps = { readonly height: string } | { readonly className: string | undefined };

/** Reserves the space of a part that is loading, so that the layout does not shift; with words when it takes long. */
export function Placeholder(props: PlaceholderProps) {
  const { t } = useTranslation();
  const isSlow = useIsSlow();
  const size =
    'height' in props
      ? { className: classes.placeholder, style: { height: props.height } }
      : { className: `${classes.placeholder} ${props.className}` };
  return (
    <div {...size} role="status" aria-label={t('loading')}>
      {isSlow && t('slow')}
    </div>
  );
}
