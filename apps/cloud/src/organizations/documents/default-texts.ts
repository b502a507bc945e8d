import type { DocumentName } from '@heliograph/contracts';

export const DOCUMENT_TITLES: Readonly<Record<DocumentName, string>> = {
  terms: 'Terms of use',
  privacy: 'Privacy',
};

/** Texts for organizations without their own. Each takes the name of the organization, or of the service. */
export const DEFAULT_DOCUMENTS: Readonly<Record<DocumentName, (issuer: string) => string>> = {
  terms: (issuer) => `\
# What this is

${issuer} gives you access to your solar system from anywhere: readings of your inverters and batteries, and their settings. By opening an account you accept these terms.

# Your account

Keep your password and your tokens secret: anyone who has them can do everything that you can do. Contact us if you think that another person has them. You decide who gets access to your sites, and you can end that access at any time.

# Settings change real equipment

A setting that you write takes effect on the inverter at once and cannot be undone by us. Wrong settings can damage batteries and inverters or leave a house without power. Change only what you understand, or ask your installer.

# Availability

The service is provided as it is. Readings can be late, missing or wrong, and the service can be interrupted. Do not rely on it where safety depends on it: the protective devices of your installation must work without it.

# Fair use

Do not try to get into sites that are not yours, do not overload the service, and do not use it for anything unlawful. Accounts that do may be closed.

# Ending

You can stop using the service at any time and have your account deleted. If these terms change, we inform you before the change takes effect.
`,
  privacy: (issuer) => `\
# What is kept

${issuer} keeps what it needs to serve you:

- your account: email address, name, phone number if you gave one, language
- your sites: their names, who has access, what kind of inverter and battery they have
- your devices: their identifier, software version, when they last called and from which network address
- a record of changes to access, ownership and tokens, with the network address they came from

Passwords and tokens are kept only in a form from which they cannot be read back.

# What is not kept

Live readings of your system pass through on their way to you and are not stored here. They stay on the device in your home.

# Who sees it

You, the people you gave access to your sites, the installer that your account or site belongs to, and those who run the service. Applications of others see a site only after you agreed to it, and only that site. Nothing is sold.

# Cookies

There are only those that keep you signed in.

# Your rights

You can ask what is kept about you, have it corrected and have it deleted. Ask your installer or the operator of the service.
`,
};
