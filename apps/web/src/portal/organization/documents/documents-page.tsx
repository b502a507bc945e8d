import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { OrganizationPage } from '../organization-page.tsx';
import { documentQuery } from '../queries.ts';
import { DocumentForm } from './document-form.tsx';
import { DocumentText } from './document-text.tsx';

/** The legal texts of an organization. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('documents.title')}>
      {({ id }, { isManager }) => (
        <>
          <DocumentCard organizationId={id} name="terms" title={t('documents.terms')} isManager={isManager} />
          <DocumentCard
            organizationId={id}
            name="privacy"
            title={t('documents.privacy')}
            isManager={isManager}
          />
        </>
      )}
    </OrganizationPage>
  );
}

interface DocumentCardProps {
  readonly organizationId: number;
  readonly name: 'terms' | 'privacy';
  readonly title: string;
  readonly isManager: boolean;
}

function DocumentCard({ organizationId, name, title, isManager }: DocumentCardProps) {
  const { t } = useTranslation('organization');
  const document = useQuery(documentQuery(organizationId, name));
  const asPublished = `/api/v1/legal/portal/${name}?organization_id=${organizationId}`;
  return (
    <Card
      title={title}
      action={
        <a href={asPublished} target="_blank" rel="noreferrer">
          {t('documents.published')}
        </a>
      }
    >
      <QueryResult query={document}>
        {(found) =>
          isManager ? (
            <DocumentForm organizationId={organizationId} document={found} title={title} />
          ) : (
            <DocumentText document={found} />
          )
        }
      </QueryResult>
    </Card>
  );
}
