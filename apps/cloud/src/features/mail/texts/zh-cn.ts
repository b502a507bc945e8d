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
  secondFactor: {
    passkey_added: {
      subject: '您的 {brand} 账户已添加通行密钥',
      text: '通行密钥“{name}”已添加到您的 {brand} 账户，可用于登录。',
    },
    passkey_removed: {
      subject: '您的 {brand} 账户已移除通行密钥',
      text: '通行密钥“{name}”已从您的 {brand} 账户移除，不能再用于登录。',
    },
    app_added: {
      subject: '您的 {brand} 账户已添加身份验证器应用',
      text: '您的 {brand} 账户已添加身份验证器应用。登录时现在需要输入其中的验证码。',
    },
    app_removed: {
      subject: '您的 {brand} 账户已移除身份验证器应用',
      text: '您的 {brand} 账户已移除身份验证器应用，其验证码不再有效。',
    },
    codes_made: {
      subject: '您的 {brand} 账户有新的恢复代码',
      text: '已为您的 {brand} 账户生成新的恢复代码，旧代码不再有效。',
    },
    code_used: {
      subject: '您的 {brand} 账户使用了一个恢复代码',
      text: '有人在您的 {brand} 账户中使用恢复代码代替了第二重验证。剩余未使用的代码：{left}。',
    },
    reset: {
      subject: '您的 {brand} 账户的第二重验证已被重置',
      text: '{brand} 的运营方已移除您账户的所有第二重验证方式，并结束了所有会话。在您重新设置之前，仅凭密码即可登录。',
    },
    button: '查看安全设置',
    unexpected: '如果不是您本人操作，请立即更改密码、结束所有其他会话并通知我们。',
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
  accountNotice: {
    time: '时间：{time}',
    address: '地址：{address}',
  },
  passwordChanged: {
    subject: '您的 {brand} 账户密码已更改',
    text: '您的 {brand} 账户已设置新密码。其他会话已结束；API 令牌保持不变。',
    button: '选择另一个密码',
    unexpected: '如果不是您本人操作，请立即选择另一个密码，撤销您不认识的 API 令牌，并查看账户的安全活动。',
  },
  tokenCreated: {
    subject: '您的 {brand} 账户有新的 API 令牌',
    text: '已为您的 {brand} 账户创建 API 令牌“{name}”。持有它的程序将以您的名义使用 API。',
    scopes: '它可以：{scopes}。',
    button: '查看 API 令牌',
    unexpected: '如果不是您本人操作，请立即在该页面撤销此令牌并更改密码。',
  },
  unknownNetwork: {
    subject: '您的 {brand} 账户有新的登录',
    text: '有人从过去 90 天内未使用过的网络登录了您的 {brand} 账户。',
    button: '查看您的登录位置',
    unexpected: '如果不是您本人操作，请在该页面结束该会话并立即更改密码。',
  },
  tokenScopes: {
    'sites:read_all': '读取您可以看到的所有电站及其实时数值',
    'sites:write_all': '在您是所有者或管理员的电站更改设置；注册电站；邀请、更改和移除成员',
    'sites:recover_all': '开启和关闭支持会话',
    'users:read_all': '读取人员目录',
    'orders:read_all': '读取订单',
    'orders:write_all': '将订单标记为已付款',
    'products:read_all': '读取产品目录',
    'tickets:read_all': '读取支持工单',
    'tickets:write_all': '回复和更改支持工单',
  },
};
