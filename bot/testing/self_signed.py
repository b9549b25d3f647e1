"""A certificate that nobody vouches for."""

import asyncio
import ssl
from pathlib import Path


async def self_signed(folder: Path, name: str) -> ssl.SSLContext:
    """Return what a server of this name serves with; its key and certificate lie in `folder`."""
    key, certificate = folder / "key", folder / "certificate"
    made = await asyncio.create_subprocess_exec(
        *("openssl", "req", "-x509", "-nodes", "-days", "30"),
        *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"),
        *("-keyout", key, "-out", certificate),
        stderr=asyncio.subprocess.DEVNULL,
    )
    if await made.wait():
        raise RuntimeError("openssl made no certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
