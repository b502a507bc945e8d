import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConfirmDialogProps } from './confirm-dialog.tsx';

/** The lazily loaded part of {@link ConfirmDialog}. */
export function OpenedDialog(props: Omit<ConfirmDialogProps, 'opened'>) {
  const { title, children, confirmLabel, tone = 'primary', isPending = false, onConfirm, onCancel } = props;
  const { t } = useTranslation();
  return (
    <Modal
      opened
      title={title}
      onClose={onCancel}
      closeOnClickOutside={!isPending}
      closeOnEscape={!isPending}
      withCloseButton={!isPending}
      closeButtonProps={{ 'aria-label': t('close'), size: 44 }}
      returnFocus={false}
      radius={12}
      styles={{ title: { fontSize: '1.1rem', fontWeight: 650 } }}
      // Its header is none of the page.
      attributes={{ header: { role: 'presentation' } }}
      transitionProps={{ duration: 120, exitDuration: 0 }}
    >
      <Stack gap="lg">
        <div>{children}</div>
        <Group justify="flex-end" gap="sm">
          {/* The key that opened the dialog may still be held down: it shall not confirm as well. */}
          <Button variant="default" disabled={isPending} data-autofocus onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button {...(tone === 'danger' && { color: 'red.8' })} loading={isPending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
