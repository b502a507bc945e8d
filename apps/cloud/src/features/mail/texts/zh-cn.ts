import type { MailTexts } from './mail-texts.ts';

export const zhCn: MailTexts = {
  greeting: '{name}，您好！',
  greetingWithoutName: '您好！',
  linkHint: '如果按钮无法使用，请在浏览器中打开以下地址：',
  sentBy: '此邮件由 {brand} 自动发送。',
  confirmation: {
    subject: '请确认您的电子邮件地址 - {brand}',
    text: '感谢您注册 {brand}。请确认您的电子邮件地址，以完成账户设置。',
    button: '确认电子邮件地址',
    validity: '该链接仅可使用一次，24 小时内有效。',
    unexpected: '如果您没有注册，请忽略此邮件。',
  },
  reset: {
    subject: '请为 {brand} 设置新密码',
    text: '我们收到了重置您的 {brand} 账户密码的请求。',
    button: '设置新密码',
    validity: '该链接仅可使用一次，2 小时内有效。',
    unexpected: '如果这不是您的请求，请忽略此邮件：您的密码将保持不变。',
  },
  invitation: {
    subject: '{brand} 邀请您加入',
    toSite: '您已获得访问 {brand} 的太阳能电站 {site} 的权限。',
    toTeam: '您已受邀加入 {brand} 团队。',
    toAccount: '已为您在 {brand} 创建账户。',
    from: '邀请人：{inviter}。',
    next: '请先设置密码，即可开始使用。',
    button: '设置密码',
    validity: '该链接仅可使用一次，7 天内有效。',
    unexpected: '如果您不清楚此邮件的来由，请忽略。',
  },
};
