import type { AlertingTables } from './tables/alerting.ts';
import type { DeliveryTables } from './tables/delivery.ts';
import type { DevicesTables } from './tables/devices.ts';
import type { IdentityTables } from './tables/identity.ts';
import type { OAuthTables } from './tables/oauth.ts';
import type { OrganizationsTables } from './tables/organizations.ts';
import type { PrivacyTables } from './tables/privacy.ts';
import type { RequestsTables } from './tables/requests.ts';
import type { ShopTables } from './tables/shop.ts';
import type { SitesTables } from './tables/sites.ts';
import type { SupportTables } from './tables/support.ts';

/** The tables as the newest migration leaves them. Columns are explained where they are declared, in SQL. */
export interface Schema
  extends AlertingTables,
    DeliveryTables,
    DevicesTables,
    IdentityTables,
    OAuthTables,
    OrganizationsTables,
    PrivacyTables,
    RequestsTables,
    ShopTables,
    SitesTables,
    SupportTables {}
