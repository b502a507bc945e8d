import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Rows } from '../../parts/rows.tsx';
import { useSite } from '../site-context.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberRow } from './member-row.tsx';
import classes from './people-tab.module.css';
import { SiteConnectionsCard } from './site-connections-card.tsx';

/** Who may see the site: people with a role, and whoever reads it besides. */
export function Page() {
  const { t } = useTranslation('sites');
  const { site, role, may } = useSite();
  return (
    <div className={classes.tab}>
      <Card title={t('people.title')}>
        <Rows label={t('people.title')}>
          {site.users.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </Rows>
        {role === null && <p className={classes.note}>{t('people.noRole')}</p>}
      </Card>
      {may('manage') && (
        <Card title={t('invite.title')}>
          <InviteForm />
        </Card>
      )}
      {may('connections') && <SiteConnectionsCard />}
    </div>
  );
}
