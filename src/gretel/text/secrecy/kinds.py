"""Kinds of words that make a secret of a key, a code or a number: what it is for, or of.

English, German, French, Spanish, Italian, Portuguese, Dutch, Russian (also in Latin letters),
Chinese, Japanese and Korean.
"""

import unicodedata

from gretel.text.words import word_set

_ACCENTS = dict.fromkeys(range(0x300, 0x370))


def folded(text: str) -> str:
    """`text` in small letters without accents: `Contraseña` is `contrasena`."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if plain.isascii():
        return plain
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", plain).translate(_ACCENTS))


def words(text: str) -> frozenset[str]:
    """The words of a table, folded."""
    return word_set(folded(text))


AUTH = words(
    """
    auth twofa step stepup authentication authentification authenticate authenticator
    authorisation authorization authentifizierung anmelde anmeldung login logon signin signon
    signup access security secure secret secrets password passwd passphrase mfa 2fa tfa 2sv
    factor otp totp hotp onetime einmalige einmaliger eenmalige sms verification verify
    verifier verifying validation confirm confirmation csrf xsrf session sess oauth oauth2
    oidc saml bearer jwt magic challenge credential memorable zugang zugangs zugriff zugriffs
    sicherheit sicherheits geheim geheimer geheime bestätigung bestätigungs bestaetigungs
    verifizierung verifizierungs freischalt einmal sitzung sitzungs acceso accès acesso
    accesso acces sécurité securite seguridad segurança seguranca sicurezza vérification
    verificación verificação verifica confirmación confirmação conferma secrète secreta
    secreto segreto segreta segredo confidentiel confidentielle confidencial sesion sesión
    sessão sessione connexion ingreso toegang toegangs beveiliging beveiligings veiligheid
    veiligheids bevestiging bevestigings verificatie inlog доступа доступ подтверждения
    проверки проверочный безопасности секретный секретная секретного секрет авторизации сессии
    входа одноразовый смс dostupa podtverzhdeniya proverki bezopasnosti sekretnyy sekretnyj
    sekretny sessii vhoda 验证 驗證 校验 校驗 安全 认证 認證 認証 確認 动态 登录 登錄 登陆
    会话 访问 訪問 短信 授权 セキュリティ アクセス ログイン ワンタイム 認可 セッション 인증
    보안 확인 로그인 접근 세션
    """
)
"""Of authentication."""
CRYPT = words(
    """
    private priv privat privater privatem privé privée prive privee privada privado privata
    privato privaat secret sign signing signature signer encrypt encryption encrypting
    encryptor decrypt decryption decrypting crypto crypt cipher aes aes128 aes256 des rsa dsa
    ecdsa ed25519 ec hmac jwt jwk ssh pgp gpg tls ssl master root shared preshared symmetric
    kek dek wifi wlan wpa wpa2 wep network wireguard netzwerk router internet vpn vault wallet
    hd bip39 mnemonic stego fernet cert certificate crt enc luks sftp verschlüsselung
    verschlüsselungs verschluesselungs privaten chiffrement cifrado criptografia cifratura
    versleuteling закрытый приватный приватного шифрования мастер zakrytyy zakrytyj privatnyy
    shifrovaniya 加密 解密 私 秘密 签名 簽名 暗号 암호화 비밀 개인 서명
    """
)
"""Of cryptography."""
PAY = words(
    """
    card cards cc creditcard debitcard credit debit payment atm cvv cvc bankcard giftcard
    karten karte kreditkarten kreditkarte kartenprüf kartenpruef tarjeta carte cartao cartão
    carta kaart карты карта karty 卡 银行卡 信用卡 カード クレジットカード 카드
    """
)
"""Of payment."""
RECOVER = words(
    """
    recovery recover backup rescue reset restore unlock unblock unseal activation activate
    emergency scratch puk wiederherstellung wiederherstellungs notfall entsperr aktivierungs
    freischalt récupération recuperación recuperação recupero secours herstel восстановления
    активации vosstanovleniya 恢复 恢復 备份 回復 復旧 バックアップ 복구
    """
)
"""Of getting in again."""
SERVICE = words(
    """
    api app application appid account client consumer developer deploy deployment functions
    license licence master sa rapidapi server service storage stream subscription transfer
    unlock webhook x bot admin login subaccount lizenz licencia licença приложения апи 接口
    应用 授权 アプリ ライセンス
    """
)
"""What a key is given for."""
PLACED = words(
    """
    door gate alarm entry entrance lock safe garage keypad locker lockbox vault tür tuer porte
    puerta porta deur двери 门 ドア voicemail wifi
    """
)
"""What a code opens."""
CARRIER = words(
    """
    db key store database smtp imap pop3 mail email ftp sftp ssh root admin sudo user login
    keystore truststore wifi proxy ldap sql mysql pg postgres redis rabbit rabbitmq mqtt mongo
    http https vpn cert p12 bind auth server service account host amqp elastic es oracle rds
    """
)
"""What a pass or a word of two letters opens."""
