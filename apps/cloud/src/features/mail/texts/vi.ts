import type { MailTexts } from './mail-texts.ts';

export const vi: MailTexts = {
  greeting: 'Xin chào {name},',
  greetingWithoutName: 'Xin chào,',
  linkHint: 'Nếu nút không hoạt động, vui lòng mở địa chỉ này trong trình duyệt của quý vị:',
  sentBy: 'Thư này được {brand} gửi tự động.',
  confirmation: {
    subject: 'Xác nhận địa chỉ email của quý vị cho {brand}',
    text: 'Cảm ơn quý vị đã đăng ký với {brand}. Vui lòng xác nhận địa chỉ email để hoàn tất việc thiết lập tài khoản.',
    button: 'Xác nhận địa chỉ email',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 24 giờ tới.',
    unexpected: 'Nếu quý vị không đăng ký, vui lòng bỏ qua thư này.',
  },
  reset: {
    subject: 'Chọn mật khẩu mới cho {brand}',
    text: 'Chúng tôi đã nhận được yêu cầu đặt lại mật khẩu cho tài khoản {brand} của quý vị.',
    button: 'Chọn mật khẩu mới',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 2 giờ tới.',
    unexpected:
      'Nếu quý vị không yêu cầu việc này, vui lòng bỏ qua thư này: mật khẩu của quý vị vẫn giữ nguyên.',
  },
  secondFactor: {
    passkey_added: {
      subject: 'Đã thêm một khóa truy cập vào tài khoản {brand} của quý vị',
      text: 'Khóa truy cập “{name}” đã được thêm vào tài khoản {brand} của quý vị. Có thể dùng khóa này để đăng nhập.',
    },
    passkey_removed: {
      subject: 'Đã gỡ một khóa truy cập khỏi tài khoản {brand} của quý vị',
      text: 'Khóa truy cập “{name}” đã được gỡ khỏi tài khoản {brand} của quý vị. Không thể dùng khóa này để đăng nhập nữa.',
    },
    app_added: {
      subject: 'Đã thêm ứng dụng xác thực vào tài khoản {brand} của quý vị',
      text: 'Một ứng dụng xác thực đã được thêm vào tài khoản {brand} của quý vị. Từ nay khi đăng nhập cần có mã từ ứng dụng này.',
    },
    app_removed: {
      subject: 'Đã gỡ ứng dụng xác thực khỏi tài khoản {brand} của quý vị',
      text: 'Ứng dụng xác thực đã được gỡ khỏi tài khoản {brand} của quý vị. Mã của ứng dụng không còn được chấp nhận.',
    },
    codes_made: {
      subject: 'Mã khôi phục mới cho tài khoản {brand} của quý vị',
      text: 'Mã khôi phục mới đã được tạo cho tài khoản {brand} của quý vị. Các mã cũ không còn hiệu lực.',
    },
    code_used: {
      subject: 'Một mã khôi phục đã được dùng cho tài khoản {brand} của quý vị',
      text: 'Một mã khôi phục đã được dùng thay cho yếu tố thứ hai của tài khoản {brand} của quý vị. Số mã chưa dùng còn lại: {left}.',
    },
    reset: {
      subject: 'Yếu tố thứ hai của tài khoản {brand} của quý vị đã được đặt lại',
      text: 'Đơn vị vận hành {brand} đã gỡ mọi yếu tố thứ hai khỏi tài khoản của quý vị và kết thúc mọi phiên. Cho đến khi quý vị thiết lập lại, chỉ cần mật khẩu để đăng nhập.',
    },
    button: 'Xem lại cài đặt bảo mật',
    unexpected:
      'Nếu không phải do quý vị, hãy đổi mật khẩu ngay, kết thúc mọi phiên khác và báo cho chúng tôi.',
  },
  invitation: {
    subject: 'Lời mời tham gia {brand}',
    toSite: 'Quý vị đã được cấp quyền truy cập hệ thống điện mặt trời {site} tại {brand}.',
    toTeam: 'Quý vị được mời tham gia đội ngũ {brand}.',
    toAccount: 'Một tài khoản tại {brand} đã được tạo cho quý vị.',
    from: 'Lời mời được gửi từ {inviter}.',
    next: 'Để bắt đầu, vui lòng chọn mật khẩu.',
    button: 'Chọn mật khẩu',
    validity: 'Liên kết chỉ dùng được một lần, trong vòng 7 ngày tới.',
    unexpected: 'Nếu quý vị không biết thư này nói về việc gì, vui lòng bỏ qua.',
  },
  accountNotice: {
    time: 'Thời gian: {time}',
    address: 'Địa chỉ: {address}',
  },
  passwordChanged: {
    subject: 'Mật khẩu tài khoản {brand} của quý vị đã được đổi',
    text: 'Một mật khẩu mới đã được đặt cho tài khoản {brand} của quý vị. Các phiên khác đã kết thúc; các token API vẫn còn.',
    button: 'Chọn mật khẩu khác',
    unexpected:
      'Nếu không phải quý vị, hãy chọn ngay mật khẩu khác, thu hồi các token API quý vị không biết và xem hoạt động bảo mật của tài khoản.',
  },
  tokenCreated: {
    subject: 'Token API mới cho tài khoản {brand} của quý vị',
    text: 'Token API “{name}” đã được tạo cho tài khoản {brand} của quý vị. Chương trình có token này dùng API thay mặt quý vị.',
    scopes: 'Token này được phép: {scopes}.',
    button: 'Xem các token API',
    unexpected: 'Nếu không phải quý vị, hãy thu hồi ngay token trên trang đó và đổi mật khẩu.',
  },
  unknownNetwork: {
    subject: 'Lần đăng nhập mới vào tài khoản {brand} của quý vị',
    text: 'Có lần đăng nhập vào tài khoản {brand} của quý vị từ một mạng chưa được dùng trong 90 ngày qua.',
    button: 'Xem nơi quý vị đang đăng nhập',
    unexpected: 'Nếu không phải quý vị, hãy kết thúc phiên trên trang đó và đổi mật khẩu ngay.',
  },
  tokenScopes: {
    'sites:read_all': 'đọc mọi hệ thống quý vị xem được và giá trị trực tiếp của chúng',
    'sites:write_all':
      'thay đổi cài đặt ở nơi quý vị là chủ sở hữu hoặc quản trị viên; đăng ký hệ thống; mời, thay đổi và xóa thành viên',
    'sites:recover_all': 'mở và đóng phiên hỗ trợ',
    'users:read_all': 'đọc danh bạ người dùng',
    'orders:read_all': 'đọc đơn hàng',
    'orders:write_all': 'đánh dấu đơn hàng đã thanh toán',
    'products:read_all': 'đọc danh mục sản phẩm',
    'tickets:read_all': 'đọc phiếu hỗ trợ',
    'tickets:write_all': 'trả lời và thay đổi phiếu hỗ trợ',
  },
  teamInvitation: {
    subject: '{brand} mời quý vị vào nhóm của họ',
    text: '{brand} mời quý vị làm việc cùng nhóm của họ.',
    next: 'Hãy đăng nhập để chấp nhận hoặc từ chối. Cho đến khi quý vị chấp nhận, {brand} không thấy gì từ tài khoản của quý vị và quý vị không thấy gì từ các hệ thống của họ.',
    button: 'Xem lời mời',
    validity: 'Lời mời có thể được chấp nhận trong 14 ngày tới.',
    unexpected: 'Nếu quý vị không biết {brand}, hãy từ chối lời mời hoặc bỏ qua thư này.',
  },
  siteAccess: {
    subject: 'Quý vị đã được cấp quyền truy cập {site}',
    by: '{actor} đã cấp quyền này cho quý vị.',
    button: 'Mở hệ thống',
    leave: 'Nếu không muốn quyền này, hãy mở danh sách người của hệ thống và chọn “Rời khỏi”.',
    unexpected:
      'Nếu quý vị không biết ai đã cấp quyền, hãy rời khỏi hệ thống: những người khác có quyền truy cập thấy tên và email của quý vị.',
  },
  ownership: {
    subjectNew: 'Quý vị hiện là chủ sở hữu của {site}',
    textNew:
      'Hệ thống điện mặt trời {site} đã được chuyển giao cho quý vị. Quý vị quyết định ai có quyền truy cập và có thể thay đổi cài đặt.',
    subjectFormer: '{site} có chủ sở hữu mới',
    textFormer:
      'Hệ thống điện mặt trời {site} đã được chuyển giao cho {owner}. Quý vị hiện là quản trị viên của hệ thống.',
    by: '{actor} đã thực hiện việc này vào {time}.',
    button: 'Mở hệ thống',
    unexpectedNew:
      'Nếu quý vị không mong đợi điều này, hãy trả hệ thống lại cho chủ sở hữu cũ, người vẫn là quản trị viên.',
    unexpectedFormer:
      'Nếu đó không phải là quý vị, hãy đổi mật khẩu ngay và yêu cầu nhà vận hành dịch vụ hủy việc chuyển giao.',
  },
};
