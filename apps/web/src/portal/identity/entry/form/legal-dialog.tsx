import { ConnectionError } from '@heliograph/client';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../../shared/components/states/failure.tsx';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { usePortalSession } from '../../../session/session.ts';
import classes from './legal-dialog.module.css';

export type LegalName = 'terms' | 'privacy';

interface LegalDialogProps {
  readonly name: LegalName;
  readonly onClose: () => void;
}

/** A legal text of the organization whose pages these are, else of the service. */
export function LegalDialog({ name, onClose }: LegalDialogProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { home } = usePortalSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['entry', 'legal', name, home?.id],
    queryFn: () => legalText(name, home?.id),
  });
  return (
    <Modal
      opened
      size="lg"
      radius={12}
      onClose={onClose}
      title={name === 'terms' ? t('terms.title') : t('terms.privacyTitle')}
      closeButtonProps={{ 'aria-label': shared('close'), size: 44 }}
      // Its header is none of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      {data === undefined && error === null && <Loading />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <div className={classes.text}>{legalElements(data)}</div>}
    </Modal>
  );
}

async function legalText(name: LegalName, organizationId: number | undefined): Promise<string> {
  const query = new URLSearchParams({ fragment: '1', organization_id: String(organizationId ?? 'none') });
  const response = await fetch(`/api/v1/legal/portal/${name}?${query}`);
  if (!response.ok) throw new ConnectionError(location.origin, response.statusText);
  return response.text();
}

/** All that legal texts are made of. */
const TAGS = ['h2', 'h3', 'p', 'ul', 'li', 'br'];

/** A fragment of HTML as elements: what is no part of a legal text is shown as the text that it has. */
function legalElements(html: string): ReactNode[] {
  return childrenOf(new DOMParser().parseFromString(html, 'text/html').body);
}

function childrenOf(parent: Element): ReactNode[] {
  return [...parent.childNodes].map((node, index) => {
    if (!(node instanceof Element)) return node.textContent;
    const tag = node.localName;
    if (!TAGS.includes(tag)) return node.textContent;
    return createElement(tag, { key: index }, ...childrenOf(node));
  });
}
