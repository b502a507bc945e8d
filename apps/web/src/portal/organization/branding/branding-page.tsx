import { useTranslation } from 'react-i18next';
import { OrganizationPage } from '../organization-page.tsx';
import { BrandFacts } from './brand-facts.tsx';
import { ColorsCard } from './colors-card.tsx';
import { IdentityCard } from './identity-card.tsx';
import { LogoCard } from './logo-card.tsx';

/** How an organization shows itself to its customers. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('branding.title')}>
      {(organization, { isManager }) =>
        isManager ? (
          <>
            <IdentityCard organization={organization} />
            <LogoCard organization={organization} />
            <ColorsCard organization={organization} />
          </>
        ) : (
          <BrandFacts organization={organization} />
        )
      }
    </OrganizationPage>
  );
}
