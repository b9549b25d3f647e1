"""For plug-ins that write down what is said in recordings: voice messages, sound, video."""

from bot.domain.recordings import Recording, Transcriber, WrittenSpeech, shown_length
from bot.errors import TranscriptionError
