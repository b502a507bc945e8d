import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyIcon } from './copy-icon.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  readonly text: string;
  /** What the button does, in words: "Copy the token". */
  readonly label: string;
  /** Shows nothing but a picture, where a row has many things in it. */
  readonly isIcon?: boolean;
}

/** Puts a text on the clipboard, and says whether it worked. */
export function CopyButton({ text, label, isIcon = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const { outcome, copy } = useCopy(text);
  const words = outcome === undefined ? '' : outcome === 'copied' ? t('copy.copied') : t('copy.failed');
  const icon = <CopyIcon isDone={outcome === 'copied'} />;
  if (isIcon) {
    return (
      <ActionIcon variant="subtle" size={44} aria-label={label} title={words || label} onClick={copy}>
        {icon}
        <VisuallyHidden role="status">{words}</VisuallyHidden>
      </ActionIcon>
    );
  }
  return (
    <>
      <Button variant="default" leftSection={icon} onClick={copy}>
        {words || label}
      </Button>
      <VisuallyHidden role="status">{words}</VisuallyHidden>
    </>
  );
}
