"""Letters of other scripts that a reader, or a model, takes for those of ASCII."""

LETTERS = dict(
    zip(
        # Cyrillic, small and capital
        "\u0430\u0441\u0501\u0435\u0261\u04bb\u0456\u0458\u043e\u0440\u051b\u0455\u0443\u0445\u051d"
        "\u0432\u043a\u043c\u043d\u0442\u04cf"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408"
        # Greek, small and capital, and the dotless i
        "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131"
        "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
        # Latin beside ASCII
        "\u0251\u0269\u026a\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u1d0a\u1d0b\u029f\u1d0d\u0274"
        "\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"
        # Armenian, Coptic, Cherokee
        "\u0578\u057d\u2ca5\u2c9f\u13aa\u13df\u13a0\u13ac\u13a2\u13da\u13e2",
        "acdeghijopqsyxw" + "bkmhtl" + "ABEKMHOPCTXSIJ" + "aeikvoptuxi" + "ABEZHIKMNOPTYX"
        "aiiabcdeghjklmn" + "oprstuvwyz" + "nucoacdetsp",
        strict=True,
    )
)
"""Each with the letter that it looks like."""
